"""Checks over HTTP that a run is on its page, its badge and its board."""

from __future__ import annotations

import html
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from html.parser import HTMLParser
from http import HTTPStatus
from typing import Any, Final

from apps.embedded.verbs import PlainError
from apps.stats.figures import significant

HEADLINE: Final = "commit-8k"  # the workload that plans are ranked by
OUT: Final = "This run does not count"  # what the page of a run says that labels keep out
REPORTED_DIGIT: Final = 0.01  # of the agent's rate a second
TIMEOUT_SECONDS: Final = 10  # a page takes milliseconds
STALE_SECONDS: Final = 10  # an answer is kept for two seconds, and a busy machine is slow
ASK_EVERY_SECONDS: Final = 0.2


class ProofError(PlainError):
    """A page, row or badge does not show what was measured."""


class AwayError(ProofError):
    """The site is starting, or what it needs is."""


@dataclass(frozen=True)
class Site:
    """A running site as its visitors see it; `url` has no slash at its end."""

    url: str

    def text(self, path: str) -> str:
        """Return the body of a page; raises ProofError if it is missing, AwayError if all is."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310  http to this machine
                body: bytes = answer.read()
        except urllib.error.HTTPError as error:
            is_away = error.code == HTTPStatus.SERVICE_UNAVAILABLE
            kind = AwayError if is_away else ProofError
            raise kind(f"{self.url}{path} answers with status {error.code}") from error
        except OSError as error:
            raise AwayError(f"{self.url}{path} does not answer: {error}") from error
        return body.decode()

    def run(self, run_id: str) -> dict[str, Any]:
        """The API's resource of a run."""
        resource: dict[str, Any] = json.loads(self.text(f"/api/v1/runs/{run_id}"))
        return resource

    def run_is_done(self, run_id: str) -> bool:
        """Whether the run has been normalised. Raises ProofError if it never will be."""
        state = self.run(run_id)["state"]
        if state == "poison":
            raise ProofError(f"run {run_id} could not be normalised; see its upload in /staff/")
        return bool(state == "done")

    def standing_of(self, run_id: str) -> dict[str, Any] | None:
        """The standing of the run's plan, once this run counts in it."""
        run = self.run(run_id)
        query = f"workload={HEADLINE}&subject=plan&evidence=measured&provider={run['provider']}"
        listed = json.loads(self.text(f"/api/v1/standings?{query}"))["results"]
        for standing in listed:
            if standing["plan"] == run["plan"] and standing["newest_run"] == run["slug"]:
                return dict(standing)
        return None


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


def check_result_soon(site: Site, *, run_id: str, commits_per_s: float) -> None:
    """Raise ProofError unless `check_result` finds no fault before STALE_SECONDS are over.

    Each process of the web server keeps answers, and the one may have a newer one than the other.
    """
    ends = time.monotonic() + STALE_SECONDS
    while True:
        try:
            return check_result(site, run_id=run_id, commits_per_s=commits_per_s)
        except ProofError:
            if time.monotonic() >= ends:
                raise
        time.sleep(ASK_EVERY_SECONDS)


def check_result(site: Site, *, run_id: str, commits_per_s: float) -> None:
    """Raise ProofError unless run page, badge and leaderboard row show this run's figure.

    A run that labels keep out has no row: then the page must say so, with the reasons.
    """
    figure = significant(commits_per_s)
    for path in (f"/runs/{run_id}/", f"/badge/run/{run_id}.svg"):
        if figure not in site.text(path):
            raise ProofError(f"{site.url}{path} does not show {figure}")
    run, standing = site.run(run_id), site.standing_of(run_id)
    if reasons := reasons_against(run):
        check_is_out(site, run_id, standing, reasons=reasons)
    elif standing is None:
        raise ProofError(f"run {run_id} counts in no standing, and no label says why")
    else:
        check_row(site, standing, figure=figure)


def stored_rate(run: dict[str, Any], *, reported_per_s: float) -> float:
    """Return the rate of a run of the API, in full precision; the agent reports two decimals.

    Raises ProofError where it is not the one that the agent reported: a page that rounds the one
    and a check that rounds the other would differ by one digit now and then.
    """
    rates = [each["rate_per_s"] for each in run["measurements"] if each["workload"] == HEADLINE]
    if not rates or abs(rates[0] - reported_per_s) > REPORTED_DIGIT:
        raise ProofError(f"run {run['slug']} is stored with {rates}, reported as {reported_per_s}")
    return float(rates[0])


def reasons_against(run: dict[str, Any]) -> tuple[str, ...]:
    """What the labels say that keep a run of the API out of standings."""
    return tuple(label["text"] for label in run["labels"] if label["keeps_out"] == "run")


def check_is_out(
    site: Site, run_id: str, standing: dict[str, Any] | None, *, reasons: tuple[str, ...]
) -> None:
    """Raise ProofError unless the run's page says that it does not count, and it does not."""
    if standing is not None:
        raise ProofError(f"run {run_id} stands on the board in spite of: {', '.join(reasons)}")
    page = html.unescape(site.text(f"/runs/{run_id}/"))
    for words in (OUT, *reasons):
        if words not in page:
            raise ProofError(f"{site.url}/runs/{run_id}/ does not say: {words}")


def check_row(site: Site, standing: dict[str, Any], *, figure: str) -> None:
    """Raise ProofError unless the board shows the standing.

    It is this run's own figure while the machine has one run; from the second on it is a median.
    """
    shown = significant(standing["rate_per_s"])
    if standing["n_runs"] == 1 and shown != figure:
        raise ProofError(f"the standing of {standing['plan']} is {shown}, its only run {figure}")
    path = f"/plans/?provider={standing['provider']}&workload={HEADLINE}"
    address = f"/plans/{standing['plan']}/"
    rows = rows_of(site.text(path))
    if not any(shown in text for text, links in rows if address in links):
        raise ProofError(f"{site.url}{path} has no row of {standing['plan']} with {shown}")
    if shown not in site.text(address):
        raise ProofError(f"{site.url}{address} does not show {shown}")
