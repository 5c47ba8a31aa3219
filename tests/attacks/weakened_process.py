"""The web server's process without the one guard that the variable WEAKENED names."""

from __future__ import annotations

import os
from typing import Any, Final

from apps.config.edge import server

LESS: Final[dict[str, tuple[str, Any]]] = {
    "limit of bodies": ("BODIES_PER_NETWORK_MAX", 10**6),
    "look at headers": (
        "check_headers",
        lambda _method, _path, headers: int(headers.get("content-length", 10**6)),
    ),
}

setattr(server, *LESS[os.environ["WEAKENED"]])
application = server.application
