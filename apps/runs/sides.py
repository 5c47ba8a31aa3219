"""What a latency times, its side, and which side speaks where a workload has several.

Sides are words of the wire format and of importers; rows hold them as they are.
"""

from __future__ import annotations

from typing import Final

COMMIT: Final = "commit"  # a write and its sync together
SYNC: Final = "sync"
WRITE: Final = "write"
READ: Final = "read"
SUBMISSION: Final = "submission"  # as fio and others report it
COMPLETION: Final = "completion"  # as they report it: it ends where the sync begins
TRANSACTION: Final = "transaction"  # of a database
LAG: Final = "lag"  # how late the machine was

# The sides that hold the sync: their median is what a commit waits.
COMMIT_SIDES: Final = (COMMIT, SYNC)
# Whose p99 can be held against a limit: it holds the sync, or is one read.
JUDGED_SIDES: Final = frozenset({*COMMIT_SIDES, READ})
# Which are not durable yet where a sync was timed beside them.
BEFORE_THE_SYNC: Final = frozenset({WRITE, COMPLETION, SUBMISSION})

# Which speaks for a run: the best first.
HEADLINE_SIDES: Final = (*COMMIT_SIDES, COMPLETION, READ, WRITE, LAG)
# Which speaks for a standing, whose runs may come from several tools.
STANDING_SIDES: Final = (*COMMIT_SIDES, READ, TRANSACTION, COMPLETION, WRITE)
# In this order a page lists them: the whole, then its parts.
LISTED_SIDES: Final = (*COMMIT_SIDES, WRITE, READ, COMPLETION, LAG)
# Which are drawn beside the first: parts of a commit; what fio calls completion is another thing.
DRAWN_BESIDE: Final = (SYNC, WRITE)
