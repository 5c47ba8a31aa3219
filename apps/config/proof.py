"""Asks the running site, over HTTP as anybody would, whether a run stands everywhere it should."""

from __future__ import annotations


import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, Final

from apps.pages import units

TIMEOUT_SECONDS: Final = 10  # a page takes milliseconds


class ProofError(RuntimeError):
    """A page, row or badge does not show what was measured."""


@dataclass(frozen=True)
class Site:
    """The public face of a running site; `url` has no slash at its end."""

    url: str

    def text(self, path: str) -> str:
        """The body of a page that must be there."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310  http to this machine
                body: bytes = answer.read()
        except urllib.error.HTTPError as error:
            raise ProofError(f"{self.url}{path} answers with status {error.code}") from error
        return body.decode()

    def run(self, run_id: str) -> dict[str, Any]:
        """The API's resource of a run."""
        resource: dict[str, Any] = json.loads(self.text(f"/api/v1/runs/{run_id}"))
        return resource

    def run_is_done(self, run_id: str) -> bool:
        """Whether the run has been normalised; one that cannot be is reported at once."""
        state = self.run(run_id)["state"]
        if state == "poison":
            raise ProofError(f"run {run_id} could not be normalised; see its upload in /staff/")
        return bool(state == "done")


class _Rows(HTMLParser):
    """Collects the text and the links of every table row and list item."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, set[str]]] = []
        self._texts: list[str] = []
        self._links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"tr", "li"}:
            self._texts, self._links = [], set()
        if tag == "a":
            self._links.add(dict(attrs).get("href") or "")

    def handle_data(self, data: str) -> None:
        self._texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"tr", "li"}:
            self.rows.append((" ".join(" ".join(self._texts).split()), self._links))


def rows_of(page: str) -> list[tuple[str, set[str]]]:
    """Text and links of each row of a page's tables."""
    parser = _Rows()
    parser.feed(page)
    return parser.rows


def check_result(site: Site, outcome: dict[str, Any]) -> None:
    """Raise ProofError unless run page, leaderboard row and badge show this run's figure."""
    figure = units.rate(outcome["commits_per_s"])
    for name, url in (("run page", outcome["run_url"]), ("badge", outcome["badge_url"])):
        if figure not in site.text(url.removeprefix(site.url)):
            raise ProofError(f"the {name} {url} does not show {figure}")
