"""Units as tools print them: IEC and SI sizes, thousands, and how exact a printed number is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.intake.importers.text import number_of

# fio 3 means what it prints: KiB is 1,024 bytes and kB is 1,000.
BYTES: Final = {
    "B": 1,
    "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4,
    "kB": 1000, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "TB": 1000**4,
}  # fmt: skip
THOUSANDS: Final = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
US_PER: Final = {"nsec": 0.001, "usec": 1.0, "msec": 1000.0}
_COUNT: Final = re.compile(r"(?P<digits>[0-9.,]{1,40})(?P<unit>[kMG]?)")
_SIZE: Final = re.compile(r"(?P<digits>[0-9.,]{1,40})(?P<unit>[KMGTk]?i?B)(?:/s)?")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number in its base unit, and what one step of its last digit is worth."""

    digits: str
    times: int
    value: float
    step: float

    def agrees_with(self, other: PrintedNumber) -> bool:
        """Whether both can be the same number, cut or rounded to their digits."""
        return abs(self.value - other.value) <= self.step + other.step


def read_count(text: str, *, line: int) -> PrintedNumber | None:
    """Return a count such as 12.3k, or None where the unit is none of ours."""
    match = _COUNT.fullmatch(text)
    return _printed(match["digits"], THOUSANDS[match["unit"]], line) if match else None


def read_size(text: str, *, line: int) -> PrintedNumber | None:
    """Return a size or rate such as 28.6MiB/s in bytes, or None where it has another unit."""
    match = _SIZE.fullmatch(text)
    if match is None or match["unit"] not in BYTES:
        return None
    return _printed(match["digits"], BYTES[match["unit"]], line)


def kibibytes(count: str, unit: str) -> PrintedNumber:
    """Return a whole size whose K is 1,024 bytes."""
    times = 1024 ** " KMGPE".index(unit or " ")
    return PrintedNumber(count, times, int(count) * times, step=0)


def _printed(digits: str, times: int, line: int) -> PrintedNumber:
    value = number_of(digits, line=line)
    decimals = len(digits.partition(".")[2])
    return PrintedNumber(digits, times, value * times, times * 10.0**-decimals)
