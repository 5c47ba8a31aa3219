"""A supervisor as a program of its own: starts the servers of a directory and says where.

Its one argument is the directory. It prints one JSON line when the servers are up and stops when
its standard input ends.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from apps.embedded.progress import Progress
from apps.embedded.servers import shared_servers


def main() -> None:
    """Hold the servers until standard input ends."""
    with shared_servers(Path(sys.argv[1]), environment=os.environ, progress=Progress()) as servers:
        sys.stdout.write(f"{json.dumps(asdict(servers.addresses))}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
