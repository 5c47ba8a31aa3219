"""The verb `./run faults`."""

from __future__ import annotations

import sys

from apps.embedded.verbs import run_verb
from tests.faults.command import faults

if __name__ == "__main__":
    sys.exit(run_verb({"faults": faults}, sys.argv[1:]))
