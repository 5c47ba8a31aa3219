"""Rules about where the file lay and whether flushes reached the drive."""

from typing import Final

YES_OR_NO: Final = "A yes or no, as the agent reports it."
