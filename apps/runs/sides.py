"""The side of a latency, which is what it times, and which side represents a workload with several.

The wire format and importers use these names, and rows store them unchanged.
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

# The sides that include the sync: their median is how long a commit takes.
COMMIT_SIDES: Final = (COMMIT, SYNC)
# The sides whose p99 can be compared with a limit: they include the sync, or are one read.
JUDGED_SIDES: Final = frozenset({*COMMIT_SIDES, READ})
# The sides that end before the data is durable, where a sync was timed beside them.
BEFORE_THE_SYNC: Final = frozenset({WRITE, COMPLETION, SUBMISSION})

# The sides whose median a commit is never quicker than: the whole, or a part of it.
PARTS_OF_A_COMMIT: Final = JUDGED_SIDES | BEFORE_THE_SYNC

# The sides that can represent a run, the best first.
HEADLINE_SIDES: Final = (*COMMIT_SIDES, COMPLETION, READ, WRITE, LAG)
# The sides that can represent a standing, whose runs may be of several tools, the best first.
STANDING_SIDES: Final = (*COMMIT_SIDES, READ, TRANSACTION, COMPLETION, WRITE)
# The order on pages: the whole, then its parts.
LISTED_SIDES: Final = (*COMMIT_SIDES, WRITE, READ, COMPLETION, LAG)
# The sides that are drawn beside the whole commit, as its parts. fio's completion is no such part.
DRAWN_BESIDE: Final = (SYNC, WRITE)
