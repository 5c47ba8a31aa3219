"""The texts of a kit: the user data that a machine gets, and the script that rents it.

What they are made of lies in `texts/`; a text names the agent's version and SHA-256, so that no
other program can be run in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from apps.pages.reading.kits.clients import CLIENTS
from apps.pages.reading.versions import newest_agent
from apps.pages.show import downloads
from apps.plans.prices.amounts import money
from apps.plans.prices.renting import HOUR_S, WAIT_S, data_disk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.pages.reading.kits.clients import Client
    from apps.pages.reading.kits.selectors import PlanToMeasure
    from apps.plans.models import Plan
    from apps.plans.prices.renting import MeasurementPrice

TEXTS: Final = Path(__file__).parent / "texts"
PLACE: Final = re.compile(r"@([A-Z_]+)@")  # in a text
SUITE: Final = "standard"
# After so long a machine turns itself off, whatever it does: twice what a measurement takes.
DEAD_MAN_MINUTES: Final = 30
# How often the script looks, and for how long: the dead man's time, and ten minutes to boot.
PAUSE_S: Final = 15
TIME_S: Final = (DEAD_MAN_MINUTES + 10) * 60
JOB_S: Final = 3600  # of Kubernetes, which need not hurry: nothing is rented for it
STORAGE: Final = "20Gi"  # the largest file of the suite has 4 GiB, and its files 9 together
# What who pastes the user data is told, as the script tells it before it asks.
PROOF: Final = "# What the cloud signed of the machine is sent too; it names your account.\n"
_BLOCK: Final = " " * 6  # of the script in the user data
_JOB_BLOCK: Final = " " * 14


@dataclass(frozen=True, slots=True)
class Kit:
    """The texts for one plan in one region."""

    plan: Plan
    region: str  # empty: the provider's region is not known here
    cost: MeasurementPrice
    ticket: str = ""  # says for whom it measures; empty in what everybody can fetch

    def with_ticket(self, token: str) -> Kit:
        """Return this kit for who made a ticket."""
        return replace(self, ticket=token)

    @property
    def client(self) -> Client | None:
        """The program that rents it; None where only the console does."""
        return CLIENTS.get(self.plan.provider_id) if self.region else None

    @property
    def basis(self) -> str:
        """How that is reckoned, in English: for the texts, which have no other language."""
        price = self.cost.price
        hours = f"{self.cost.seconds // 60} min" if self.cost.seconds % HOUR_S else "an hour"
        where = f" in {price.region}" if price.region else ""
        hourly = money(price.amount, price.currency)
        return f"{hours} at {hourly} an hour{where}, list price of {price.valid_from}"

    @property
    def cloud_init(self) -> str:
        """The user data, for cloud-init."""
        kit = indent(self._kit.rstrip("\n"), _BLOCK)
        values = {
            "WHAT": _in_comment(self.plan.full_name), "NETLOC": _netloc(), "KIT": kit,
            "PROOF": PROOF if self._question == "proof" else "",
        }  # fmt: skip
        return _filled("cloud-init.yaml", values)

    @property
    def script(self) -> str:
        """The script that rents the machine, waits for its run, and deletes it."""
        client = self.client
        if client is None:
            raise ValueError(f"nothing rents {self.plan} from a command line")
        release = {name: _quoted(value) for name, value in _release().items()}
        quoted = {
            "WHAT": f"{self.plan.full_name} in {self.region}",
            "PRICE": self.cost.shown, "PRICE_BASIS": self.basis, "SITE": settings.SITE_URL,
            "QUESTION": self._question,
        }  # fmt: skip
        values = {
            **{f"{name}_TEXT": _in_comment(value) for name, value in quoted.items()},
            **{name: _quoted(value) for name, value in quoted.items()},
            **release, "CLI": client.program, "CLI_HOME": client.home, "NETLOC": _netloc(),
            "TIME_S": str(TIME_S), "PAUSE_S": str(PAUSE_S), "SETTINGS": self._settings(client),
            "RENT": indent(client.rent, "    "), "LIST": indent(client.list, "    "),
            "DELETE": indent(client.delete, "    "), "PICK": client.pick,
            "CLOUD_INIT": self.cloud_init.rstrip("\n"),
        }  # fmt: skip
        return _filled("rent.sh", values)

    def _settings(self, client: Client) -> str:
        """What the commands of a client read, and no more."""
        x86, arm = client.architectures
        is_zone = self.region[-1:].isalpha()  # else the one that all regions of Google have
        values = {
            "type": client.type_of(self.plan.name),
            "region": self.region,
            "zone": self.region if is_zone else f"{self.region}-b",
            "arch": arm if self.plan.arch == "arm64" else x86,
        }
        commands = client.rent + client.list + client.delete
        return "\n".join(
            f"{name}={_quoted(value)}" for name, value in values.items() if f"${name}" in commands
        )

    @property
    def _ticket(self) -> str:
        """A line for the agent, in its environment: a command line is shown to every process."""
        return f"\nexport FSYNCMARK_TICKET={_quoted(self.ticket)}" if self.ticket else ""

    @property
    def _question(self) -> str:
        client = CLIENTS.get(self.plan.provider_id)
        return client.question if client else "type"

    @property
    def _kit(self) -> str:
        quoted = {
            **_release(),
            "PROVIDER": self.plan.provider.name, "PLAN": self.plan.name, "REGION": self.region,
            "DISK": data_disk(self.plan),
        }  # fmt: skip
        secure = "--proto '=https' --tlsv1.2 " if settings.SITE_URL.startswith("https:") else ""
        values = {
            **{name: _quoted(value) for name, value in quoted.items()},
            "NETLOC": _netloc(), "VERSION": newest_agent(), "SECURE": secure, "SUITE": SUITE,
            "WAIT_S": str(WAIT_S), "MINUTES": str(DEAD_MAN_MINUTES),
            "QUESTION": self._question, "TICKET": self._ticket,
        }  # fmt: skip
        return _filled("kit.sh", values)


def kit_of(found: PlanToMeasure) -> Kit | None:
    """Return the kit of a plan; None where nobody rents it there for so short a time."""
    if found.cost is None or found.region is None or not is_offered():
        return None
    return Kit(found.plan, found.region, found.cost)


def kubernetes(plan: Plan | None) -> str:
    """Return a volume and the job that measures it, as of a plan where one is given."""
    claim = '# set -- "$@" --provider AWS --plan gp3'
    if plan is not None:
        names = _quoted(plan.provider.name), _quoted(plan.name)
        claim = 'set -- "$@" --provider {} --plan {}'.format(*names)
    release = {name: _quoted(value) for name, value in _release().items()}
    job = _filled("job.sh", {**release, "CLAIM": claim, "SUITE": SUITE})
    values = {
        "NETLOC": _netloc(), "VERSION": newest_agent(), "STORAGE": STORAGE, "SECONDS": str(JOB_S),
        "JOB": indent(job.rstrip("\n"), _JOB_BLOCK),
    }  # fmt: skip
    return _filled("kubernetes.yaml", values)


def is_offered() -> bool:
    """Whether this site hands out an agent that a machine of others can fetch."""
    return bool(downloads.downloads())


def _release() -> dict[str, str]:
    """The agent that this site hands out: where, and with which checksums."""
    return {
        "SITE": settings.SITE_URL,
        "FILES": settings.SITE_URL + reverse("files:download", args=["-"]).removesuffix("/-"),
        "SUMS": "\n".join(f"{each.sha256}  {each.name}" for each in downloads.downloads()),
    }


def _filled(name: str, values: Mapping[str, str]) -> str:
    """Return a text with each @NAME@ replaced; what is put in is not looked at again."""
    text = (TEXTS / name).read_text(encoding="utf-8")
    return PLACE.sub(lambda found: values[found[1]], text)


def _quoted(text: str) -> str:
    """A word of the shell, in quotes always: people compare these lines."""
    return "'" + text.replace("'", "'\\''") + "'"


def _in_comment(text: str) -> str:
    return " ".join(text.split())


def _netloc() -> str:
    return urlsplit(settings.SITE_URL).netloc
