"""`./run manage`: manage.py with the embedded servers up for as long as it runs."""

from __future__ import annotations

import os
import sys

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.process import start_tied
from apps.embedded.progress import Progress
from apps.embedded.servers import shared_servers
from apps.embedded.verbs import run_verb


def manage(arguments: list[str], progress: Progress) -> int:
    """Run manage.py in the product's environment and return its status."""
    with shared_servers(VAR, environment=os.environ, progress=progress) as servers:
        process = start_tied(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=product_environment(servers.addresses),
        )
        try:
            return int(process.wait())
        except KeyboardInterrupt:
            process.terminate()  # after a terminal's Ctrl-C it is on its way out already
            process.wait()
            raise


if __name__ == "__main__":
    sys.exit(run_verb({"manage": manage}, sys.argv[1:]))
