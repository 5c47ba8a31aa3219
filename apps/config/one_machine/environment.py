"""The settings that ./run gives to the product's processes on one machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from apps.embedded.home import stored_password
from apps.embedded.servers import Addresses

ROOT: Final = Path(__file__).resolve().parents[3]
# data of the servers, keys, logs: FSYNCMARK_VAR puts them on another disk
VAR: Final = Path(os.environ.get("FSYNCMARK_VAR", ROOT / "var"))
SECRET_KEY_BYTES: Final = 48  # Django asks for 50 characters; these print as 64


def product_environment(servers: Addresses) -> dict[str, str]:
    """The caller's environment with the servers' addresses and a secret key kept in var/."""
    VAR.mkdir(exist_ok=True)
    defaults = {
        "SECRET_KEY": stored_password(VAR / "secret-key", count=SECRET_KEY_BYTES),
        "SITE_URL": "http://127.0.0.1:8000",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
    }
    return {
        **defaults,
        **os.environ,
        "DATABASE_URL": servers.database_url,
        "REDIS_URL": servers.redis_url,
        "DJANGO_SETTINGS_MODULE": "apps.config.settings",
    }
