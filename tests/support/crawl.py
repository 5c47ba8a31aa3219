"""Every page in both languages, rendered once a process: tests of all pages read what came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.addresses import in_both_languages
from tests.support.catalogue import store_catalogue

# The mark of a module that reads the crawl: one worker of xdist then renders for all of them.
READS_EVERY_PAGE: Final = pytest.mark.xdist_group("every page")


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a page of the shipped catalogue answered, and what it asked the database."""

    status: int
    html: str
    queries: tuple[str, ...]


_PAGES: Final[dict[str, Rendered]] = {}


@pytest.fixture
def catalogued(client: Client, db: None) -> Client:
    """The site with the shipped catalogue, and nothing else."""
    store_catalogue()
    return client


@pytest.fixture
def every_page(catalogued: Client) -> Mapping[str, Rendered]:
    """Each address of the site with its answer; of the catalogue alone, whatever a test adds."""
    if not _PAGES:
        _PAGES.update({path: _rendered(catalogued, path) for path in in_both_languages()})
    return _PAGES


def _rendered(client: Client, path: str) -> Rendered:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path, headers={"accept": "text/html"})  # as browsers ask
    queries = tuple(each["sql"] for each in asked.captured_queries)
    return Rendered(answer.status_code, answer.content.decode(), queries)
