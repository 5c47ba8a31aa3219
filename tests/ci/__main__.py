"""The verbs `./run test` and `./run lint`."""

from __future__ import annotations

import sys

from apps.embedded.verbs import run_verb
from tests.ci.lint import lint
from tests.ci.suite import test

if __name__ == "__main__":
    sys.exit(run_verb({"test": test, "lint": lint}, sys.argv[1:]))
