"""The verbs of ./run, in Python: everything after the environment has been installed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from apps.config.environment import ROOT, VAR, product_environment
from apps.embedded.binaries import MissingServerError
from apps.embedded.process import ChildError
from apps.embedded.servers import shared_servers


def manage(arguments: list[str]) -> int:
    """manage.py in the product's environment, with the servers up for as long as it runs."""
    with shared_servers(VAR, environment=os.environ, say=say) as servers:
        environment = product_environment(servers)
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], check=False, cwd=ROOT, env=environment
        )
        return done.returncode


def test(arguments: list[str]) -> int:
    """All tests, or those below the given paths."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False, cwd=ROOT).returncode


VERBS: Final = {"manage": manage, "test": test}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """Run one verb; our own errors are one sentence, not a traceback."""
    verb, *arguments = sys.argv[1:]
    try:
        return VERBS[verb](arguments)
    except (ChildError, MissingServerError) as error:
        say(f"./run {verb}: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
