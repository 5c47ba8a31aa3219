"""Rules about whether a run was made when we asked for it."""

from typing import Final

NOTED_BY_THE_DOOR: Final = (
    "A yes or no, noted by the door when the run was received. How long a challenge lasts follows "
    "from its suite: four times the longest duration, at least 30 minutes, at most a day."
)
