"""What fio 2.0 to 2.16 print in another way: version, sides, counts, and what their KB is.

Their header gives block sizes in units of 1,024 bytes, whatever kb_base says; a bandwidth has
units of kb_base. So IOPS times the block size tell which KB it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import ImportedFigure, in_bytes
from apps.intake.importers.text import TextLine, figure_of, number_of
from apps.intake.importers.units import PrintedNumber

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION_ALONE: Final = Pattern(
    r" *(?:fio )?(?P<version>2\.\d{1,2}(?:\.\d{1,2}){0,2})", having="2."
)  # of 2.0 to 2.0.8
SIDE: Final = Pattern(
    r" +(?P<side>read|write|trim|mixed) *: io= *[^,]+, bw= *(?P<bw>[^,]+?) *, "
    r"iops= *(?P<iops>[^,]+?) *, runt= *(?P<ms>\d+)msec.*",
    having=" runt=",
)
ISSUED: Final = Pattern(r" +issued +: total=r=(\d+)/w=(\d+)/d=(\d+), .*", having="issued ")
_BANDWIDTH: Final = Pattern(
    r"(?P<whole>\d{1,9})(?P<rest>\.\d{1,3})?(?P<unit>[KMG]?)B/s", having="B/s"
)
_POWERS: Final = ("", "K", "M", "G")
_KILOBYTES: Final = (1000, 1024)
UNCERTAIN_BANDWIDTH: Final = (
    "fio 2 calls both 1,024 and 1,000 bytes KB (kb_base), and IOPS times the block size do not "
    "tell which: the bandwidth is left out."
)


def bandwidth_figure(
    line: TextLine, text: str, *, iops: PrintedNumber | None, block: PrintedNumber | None
) -> ImportedFigure | None:
    """Return a bandwidth in bytes, or None where its unit is not certain. Raises UnreadableError.

    Only its whole units are exact: fio 2 prints a remainder of 1,024 as if it were decimal.
    """
    match = _BANDWIDTH.match(text)
    if match is None or iops is None or block is None:
        return None
    fitting = [
        times for times in _units(match) if _fits(match, line, times=times, iops=iops, block=block)
    ]
    if len(fitting) != 1:
        return None
    digits = match["whole"] + (match["rest"] or "")
    return in_bytes(figure_of(line, digits, times=fitting[0]))


def _units(match: PatternMatch) -> Sequence[int]:
    power = _POWERS.index(match["unit"])
    return sorted({kilobyte**power for kilobyte in _KILOBYTES})


def _fits(
    match: PatternMatch, line: TextLine, *, times: int, iops: PrintedNumber, block: PrintedNumber
) -> bool:
    """Whether a bandwidth in a unit can be that of so many blocks a second, as both are cut."""
    moved = number_of(match["whole"], line=line.number) * times
    return abs(moved - iops.value * block.value) <= times + iops.step * block.value
