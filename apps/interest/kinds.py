"""What can be looked for."""

from typing import Final

PLAN, DRIVE, PROVIDER = "plan", "drive", "provider"
KINDS: Final = (PLAN, DRIVE, PROVIDER)
SLUG_CHARACTERS_MAX: Final = 160  # the longest slug of these three: that of a plan
