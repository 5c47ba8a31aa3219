"""The verb `./run cluster`."""

from __future__ import annotations

import sys

from apps.embedded.verbs import run_verb
from tests.cluster.command import run_cluster

if __name__ == "__main__":
    sys.exit(run_verb({"cluster": run_cluster}, sys.argv[1:]))
