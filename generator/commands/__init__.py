"""The commands: what each one takes and does. Each returns its text; `__main__` prints it."""

from __future__ import annotations

from generator.commands import data, site, sizing
from generator.commands.base import Progress, UsageError

COMMANDS = (*site.COMMANDS, *data.COMMANDS, *sizing.COMMANDS)

__all__ = ["COMMANDS", "Progress", "UsageError"]
