"""The day it is, read in one place; everything else receives it."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime


def now() -> datetime:
    """Return the current UTC instant, or the one that `SOURCE_DATE_EPOCH` fixes for reproducible builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)


def today() -> date:
    """Return the current day in UTC."""
    return now().date()
