"""The verbs `./run test`, `./run lint`, `./run audit` and `./run sbom`."""

from __future__ import annotations

import sys

from apps.embedded.verbs import run_verb
from tests.ci.audit import audit
from tests.ci.lint import lint
from tests.ci.sbom import sbom
from tests.ci.suite import test

if __name__ == "__main__":
    sys.exit(run_verb({"test": test, "lint": lint, "audit": audit, "sbom": sbom}, sys.argv[1:]))
