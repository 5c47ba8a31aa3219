"""What one badge shows and says, whatever its style."""

from dataclasses import dataclass
from enum import Enum, StrEnum, unique


@unique
class Tone(StrEnum):
    """The fill of the right part: it says how much can be defended, never good or bad.

    Every one carries white text at 4.5:1 or more. What does not count, or is too old to, is grey.
    """

    REPRODUCED = "#15803d"
    WITNESSED = "#0f766e"
    SIGNED = "#1d4ed8"
    UNRANKED = "#334155"  # shown and not ranked
    NOTHING = "#475569"


@unique
class BadgeMark(Enum):
    """The shape of the mark says what protects the drive's cache: it survives print and grey."""

    PROTECTED = "protected"
    UNPROTECTED = "unprotected"
    NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """What one badge shows and says."""

    name: str
    figure: str  # printed bold; may be empty
    remark: str  # with the interval, where there is room for it
    brief: str = ""  # the remark without it; empty: they are the same
    sentence: str  # everything the picture leaves out, for those who hear it or point at it
    tone: Tone
    latency_ns: int | None = None  # where the mark stands; None leaves the axis empty
    mark: BadgeMark = BadgeMark.NOT_STATED
    bars: int | None = None  # how many of four are filled; None leaves the level mark out

    @property
    def is_grey(self) -> bool:
        """Whether it has no figure, or one that does not count or is too old to."""
        return self.tone is Tone.NOTHING
