"""`/install.sh`: agent/install.sh with what this site hands out written into it.

Who serves another binary than the script names cannot make anybody run it, and who reads the script
reads every byte that decides.
"""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from apps.pages.reading.versions import newest_agent
from apps.pages.show import downloads

TEMPLATE: Final = Path(settings.BASE_DIR) / "agent" / "install.sh"


@dataclass(frozen=True, slots=True)
class Installer:
    """The script of this site; `downloads.measuring` calls it."""

    script: str

    @property
    def sha256(self) -> str:
        """The checksum of its bytes, as hexadecimal digits."""
        return hashlib.sha256(self.script.encode()).hexdigest()


def installer() -> Installer | None:
    """The script of this site; None where it hands out no binary."""
    available = downloads.downloads()
    if not available:
        return None
    values = {
        "SITE": settings.SITE_URL,
        "FILES": settings.SITE_URL + reverse("files:download", args=["-"]).removesuffix("/-"),
        "VERSION": newest_agent(),
        "SUMS": "\n".join(f"{each.sha256}  {each.name}" for each in available),
        "KEY": _release_key(),
    }
    script = TEMPLATE.read_text(encoding="utf-8")
    for name, value in values.items():
        script = script.replace(f"'@{name}@'", shlex.quote(value))
    return Installer(script.replace("@SITE@", urlsplit(settings.SITE_URL).netloc))


def _release_key() -> str:
    """The public key, which lies elsewhere than what it signs; blank where nothing is signed."""
    path = settings.AGENT_RELEASE_KEY
    return Path(path).read_text(encoding="ascii").strip() if path else ""
