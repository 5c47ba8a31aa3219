"""The commands that pages give to copy: the agent as it was fetched, and where it sends to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.lies.all import LIES
from apps.pages.templatetags.parts import options_whole
from tests import make
from tests.pages.site import copied, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_guides_and_lies_run_the_agent_where_it_was_fetched_to() -> None:
    given = [guide.command for guide in GUIDES]
    given += [test.command for lie in LIES for test in lie.tests if "fsyncmark" in test.command]
    assert len(given) > len(GUIDES)
    assert not [each for each in given if not each.startswith("./fsyncmark ")]


def test_the_page_of_a_plan_names_the_provider_by_its_slug_and_where_to_send(
    client: Client,
) -> None:
    plan = make.plan(name="AX 41")
    assert copied(text(client, f"/plans/{plan.slug}/"), "kin-command") == (
        f"./fsyncmark run . --server http://testserver --provider {plan.provider_id} --plan 'AX 41'"
    )


def test_drives_that_wait_share_one_command(client: Client) -> None:
    for name in ("One", "Two"):
        make.drive_family(name=name)
    page = text(client, "/coverage/?of=drives")
    assert ">One<" in page
    assert ">Two<" in page
    assert page.count("<pre") == 1
    assert copied(page, "command") == "./fsyncmark run . --server http://testserver"


def test_no_line_breaks_within_an_option_and_nothing_of_a_text_becomes_markup() -> None:
    assert options_whole("run . --server 'a<b>' --yes") == (
        'run . <span class="whole">--server</span> &#x27;a&lt;b&gt;&#x27; '
        '<span class="whole">--yes</span>'
    )
