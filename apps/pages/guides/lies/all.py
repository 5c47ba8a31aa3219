"""Every lie, in the order of its page."""

from typing import Final

from apps.pages.guides.lies.reads import LIES_OF_READS
from apps.pages.guides.lies.writes import LIES_OF_WRITES

LIES: Final = (*LIES_OF_READS, *LIES_OF_WRITES)
