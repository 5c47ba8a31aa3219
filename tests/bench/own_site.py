"""A site of a benchmark's own: servers, static files as in the image, what the repository ships."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from apps.config.one_machine.demo import manage, prepare_database, site_up
from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.config.one_machine.product import Product, ProductSettings
from apps.embedded.postgres import free_port
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, servers_for_tests

COLLECTED: Final = ROOT / "build" / "bench" / "static"


@contextmanager
def own_site(
    name: str, progress: Progress, *, more_static: Mapping[str, bytes] | None = None
) -> Iterator[Product]:
    """Run a site, with these files among its static ones."""
    with servers_for_tests(VAR, environment=os.environ) as servers:
        setting = setting_of(name, servers)
        collect(setting, progress)
        for path, content in (more_static or {}).items():
            file = COLLECTED / path
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
        prepare_database(setting, progress)
        with site_up(setting, progress) as product:
            yield product


def collect(setting: ProductSettings, progress: Progress) -> None:
    """Collect static files, compressed as in the image."""
    words = "Collecting static files"
    manage(setting, progress, words, "collectstatic", "--noinput", "--clear")


def setting_of(name: str, servers: Addresses, **environment: str) -> ProductSettings:
    """Return where a site on these servers listens, and what it is told."""
    port = free_port()
    return ProductSettings(
        port=port,
        worker_name=f"worker@{name}-{port}",
        logs=Path(VAR) / "logs" / f"bench-{name}",
        environment=product_environment(servers)
        | {"SITE_URL": f"http://127.0.0.1:{port}", "STATIC_ROOT": str(COLLECTED)}
        | environment,
    )
