"""The cluster as a ground of faults: uploads come in by nginx, databases tell what is there."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.embedded.supervision import Supervised
from apps.intake.failpoints import VARIABLE
from tests.cluster.hosts import MissingProgramError
from tests.cluster.site import Cluster, cluster, need_programs
from tests.faults.site.grounds import NotHereError
from tests.faults.site.own_site import new_home
from tests.faults.site.proxy import Proxy
from tests.faults.site.rig import Rig
from tests.faults.uploads import Programs


@dataclass
class ClusterRig(Rig):
    """A cluster with what is needed to hurt it."""

    cluster: Cluster = field(kw_only=True)

    @property
    def superuser_url(self) -> str:
        return self.cluster.databases.url()

    def take_back(self) -> None:
        """Start the machine of the dead primary as a replica, which runs until the end."""
        child = self.cluster.take_back()
        self.supervisor.watched.append(Supervised(child))


@contextlib.contextmanager
def many_machines(programs: Programs) -> Iterator[ClusterRig]:
    """Two web hosts, three workers, PgBouncer, primary and replica, nginx."""
    try:
        need_programs()
    except MissingProgramError as error:
        raise NotHereError(str(error)) from error
    folder, senders = new_home(), new_home()
    failpoints = folder / "failpoints"
    failpoints.mkdir()
    try:
        with cluster(folder, more={VARIABLE: str(failpoints)}) as (found, setting):
            site = found.as_site(setting)
            yield ClusterRig(site, programs, Proxy(0), Proxy(0), folder, senders, cluster=found)
    finally:
        for each in (folder, senders):
            shutil.rmtree(each, ignore_errors=True)
