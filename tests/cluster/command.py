"""`./run cluster`: many machines on one, until Ctrl-C; or its faults."""

from __future__ import annotations

import argparse
import contextlib
import shutil
from typing import Final

from apps.config.one_machine.demo import stay
from apps.embedded.progress import Progress
from apps.embedded.supervision import Supervisor
from tests.cluster.hosts import NAMES
from tests.cluster.site import Cluster, cluster
from tests.faults.command import UPLOADS
from tests.faults.command import faults as try_faults
from tests.faults.kinds.cluster import CLUSTER
from tests.faults.site.own_site import new_home

WORDS: Final = "Starting primary, replica, PgBouncer, workers, web hosts and nginx"


def run_cluster(arguments: list[str], progress: Progress) -> int:
    """Run the cluster, or try its faults: 1 where anything was lost."""
    parser = argparse.ArgumentParser(prog="./run cluster", description=__doc__)
    parser.add_argument("--faults", action="store_true", help="hurt it while uploads come in")
    parser.add_argument("--uploads", type=int, default=UPLOADS, help="under each fault")
    options = parser.parse_args(arguments)
    if options.faults:
        names = [fault.name for fault in CLUSTER]
        return try_faults([*names, "--uploads", str(options.uploads)], progress)
    folder = new_home()
    try:
        with contextlib.ExitStack() as stack:
            with progress.step(WORDS):
                found, _ = stack.enter_context(cluster(folder))
            show(found, progress)
            stay(Supervisor(list(found.children.values()), progress).look)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def show(found: Cluster, progress: Progress) -> None:
    """Print where everything is."""
    addresses = "\n".join(f"  {name:<12}{found.hosts.address(name)}" for name in NAMES)
    progress.say(
        f"The site is up at {found.url}; each host is an address of the loopback device:\n"
        f"{addresses}\n  logs        {found.folder}\nCtrl-C stops everything."
    )
