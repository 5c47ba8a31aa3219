"""Every lie, in the order of its page."""

from functools import cache

from apps.pages.guides.lie import Lie
from apps.pages.guides.reads import lies_of_reads
from apps.pages.guides.recorded import recorded
from apps.pages.guides.writes import lies_of_writes


@cache
def all_lies() -> tuple[Lie, ...]:
    """Lies with their pictures; texts are translated when they are shown."""
    taken = recorded()
    return lies_of_reads(taken) + lies_of_writes(taken)
