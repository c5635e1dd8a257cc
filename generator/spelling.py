"""The Portuguese dictionary of the system, through Hunspell: loaded in well under a second, asked in microseconds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from generator.memory import FOLDER, Memory

try:
    import hunspell
except ImportError:  # the site is built without it
    hunspell = None

_NAME = "pt_BR"
_MEMORY = f"{FOLDER}/ortografia.json"
_FOLDERS = ("/usr/share/hunspell", "/usr/share/myspell/dicts", "/usr/local/share/hunspell", "/Library/Spelling")
_GROUPS = ("aáâãà", "eéê", "ií", "oóôõ", "uú", "cç")
_ACCENTS = {letter: group.replace(letter, "") for group in _GROUPS for letter in group}
_LETTERS = "aeiosrntdcmulpgbvfhqçxzjãáéíóúâêô"


class Dictionary:
    """Brazilian Portuguese as Hunspell knows it; words found right are remembered, so that it is rarely loaded."""

    def __init__(self, folder: Path, memory: Path) -> None:
        stamp = (folder / f"{_NAME}.dic").stat()
        self._folder = folder
        self._memory = Memory(memory, f"{folder} {stamp.st_size} {stamp.st_mtime_ns}")

    def knows(self, word: str) -> bool:
        """Return whether the word is spelled right."""
        if word in self._memory.values:
            return True
        is_right = bool(self._hunspell.spell(word))
        if is_right:
            self._memory.values[word] = ""
        return is_right

    def remember(self) -> None:
        """Write down the words found right, for the next run."""
        self._memory.keep()

    @property
    def _hunspell(self) -> hunspell.Hunspell:
        return _loaded(self._folder)

    def suggestions(self, word: str) -> tuple[str, ...]:
        """Return words that may have been meant: other accents first, then one letter more, less, other or swapped.

        Hunspell's own suggestions take a good part of a second each; these take milliseconds.
        """
        close = (*_accented(word), *_one_letter_away(word))
        return tuple(dict.fromkeys(each for each in close if each != word and self.knows(each)))


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> hunspell.Hunspell:
    return hunspell.Hunspell(_NAME, hunspell_data_dir=str(folder))


def _accented(word: str, changes: int = 2) -> Iterator[str]:
    """Yield the word with one accent changed, then with two."""
    for at, letter in enumerate(word):
        for other in _ACCENTS.get(letter.lower(), ""):
            yield word[:at] + (other.upper() if letter.isupper() else other) + word[at + 1 :]
    if changes > 1:
        for once in list(_accented(word, 1)):
            yield from _accented(once, changes - 1)


def _one_letter_away(word: str) -> Iterator[str]:
    for at in range(len(word)):
        yield word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
        yield word[:at] + word[at + 1 :]
    for at in range(len(word) + 1):
        for letter in _LETTERS:
            yield word[:at] + letter + word[at + 1 :]
            yield word[:at] + letter + word[at:]


def find(root: Path) -> Dictionary | None:
    """Return the dictionary, or nothing where the engine or `pt_BR.dic` is not installed; `DICPATH` adds folders."""
    folders = [Path(each) for each in (*os.environ.get("DICPATH", "").split(os.pathsep), *_FOLDERS) if each]
    folder = next((each for each in folders if (each / f"{_NAME}.dic").is_file()), None)
    return Dictionary(folder, root / _MEMORY) if folder and hunspell else None
