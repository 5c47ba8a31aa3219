"""Rules about whether a run was made between a challenge of this server and its expiry."""

from typing import Final

NOTED_ON_ARRIVAL: Final = (
    "A yes or no, noted by the door when the run was received. How long a challenge lasts follows "
    "from its suite: four times the longest duration, at least 30 minutes, at most a day."
)
