"""Every kind of link on the pages of the real catalogue leads somewhere, fragments included."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_path, override

from apps.rankings.services import refresh_cells
from apps.runs.services import record_run
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

LINK = re.compile(r'(?:href|src|action|hx-get)="([^"]*)"')
SIGN_IN = re.compile(r"(/zh-hans)?/account/login/")
OF_ITS_KIND_MAX = 2  # pages of one kind come from one template
OF_ONE_VIEW_MAX = 12  # boards and comparisons link to every state that is one choice away
SERVED_ELSEWHERE = ("/static/", "/measure/download/")  # by WhiteNoise, and from a folder of builds


@dataclass
class Crawl:
    """A walk over the links of the site."""

    client: Client
    ids: dict[str, set[str]] = field(default_factory=dict)  # of each page
    dead: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    fragments: list[tuple[str, str, str]] = field(default_factory=list)  # page, target, fragment
    kinds: Counter[str] = field(default_factory=Counter)

    def walk(self, *starts: str) -> None:
        waiting = deque((start, "the start") for start in starts)
        seen = set()
        while waiting:
            address, found_on = waiting.popleft()
            if address in seen or not self._is_wanted(address):
                continue
            seen.add(address)
            waiting.extend((link, address) for link in self._links(address, found_on))

    def _is_wanted(self, address: str) -> bool:
        parts = urlsplit(address)
        if parts.netloc or parts.path.startswith(SERVED_ELSEWHERE):
            return False
        try:
            with override(get_language_from_path(parts.path) or settings.LANGUAGE_CODE):
                view = resolve(parts.path).view_name
        except Resolver404:
            return True  # to be found dead
        kind = view + re.sub(r"=[^&]*", "", f"?{parts.query}")
        self.kinds.update((view, kind))
        return self.kinds[view] <= OF_ONE_VIEW_MAX and self.kinds[kind] <= OF_ITS_KIND_MAX

    def _links(self, address: str, found_on: str) -> list[str]:
        answer = self.client.get(address)
        if SIGN_IN.match(answer.headers.get("Location", "")):
            return [answer.headers["Location"]]  # whose page it is signs in first
        if answer.status_code != 200:
            self.dead.append(f"{address} on {found_on}: {answer.status_code}")
            return []
        if "html" not in answer.headers["Content-Type"]:
            return []
        page = answer.content.decode()
        ids = re.findall(r'\sid="([^"]+)"', page)
        self.ids[address] = set(ids)
        self.repeated += [f"{address}: {each}" for each in set(ids) if ids.count(each) > 1]
        links = []
        for link in LINK.findall(page):
            whole = urljoin(address, unescape(link).removeprefix(settings.SITE_URL) or "/")
            target, fragment = urldefrag(whole)
            links.append(target)
            if fragment:
                self.fragments.append((address, target, fragment))
        return links


def test_every_link_leads_somewhere(client: Client) -> None:
    store_catalogue()
    run = record_run(upload=make.upload(witnessed=True, state="done"))
    refresh_cells(run_ids=[run.id])
    crawl = Crawl(client)
    crawl.walk(f"/runs/{run.slug}/", "/")
    assert not crawl.dead
    assert not crawl.repeated
    assert not [
        f"{page}: {target}#{fragment}"
        for page, target, fragment in crawl.fragments
        if fragment not in crawl.ids.get(target, {fragment})
    ]
    assert {
        "pages:plan?", "pages:drive?", "pages:provider?", "pages:run?", "files:run-envelope?",
        "pages:plans?sort", "pages:plans?needs", "pages:runs?before", "badges:plan?", "api:schema?",
    } <= set(crawl.kinds)  # fmt: skip
