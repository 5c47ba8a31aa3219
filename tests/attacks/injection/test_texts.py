"""Strings that want to be markup, formulas, templates or terminal codes, in every field."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from apps.intake.services.work import drain
from apps.moderation.models import Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide, undo
from apps.plans.models import Plan
from apps.runs.models import Run, Upload
from apps.runs.services import record_run
from apps.wire.run import BadRunError, read_run
from tests import make
from tests.support.accounts.staff import REASON, make_staff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.test import Client

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]

# Printable ASCII: what the schema lets into a run.
MARKUP = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "svg": "</text><svg onload=alert(1)>",
    "attribute": '" onfocus="alert(1)" x="',
    "comment": "--><script>1</script><!--",
    "template": "{{ settings.SECRET_KEY }}",
    "tag": "{% lorem 3 w %}",
    "entity": "&lt;script&gt;1",
    "formula": "=cmd|'/c calc'!A0",
    "later": "x;=HYPERLINK(1)",
}
FIELDS = {
    "plan": lambda run, text: run["claim"].update(provider="Nobody", plan=text),
    "provider": lambda run, text: run["claim"].update(provider=text, plan="p"),
    "region": lambda run, text: run["claim"].update(provider="Hetzner", region=text),
    "model": lambda run, text: run["devices"][0].update(vendor="", model=text),
    "vendor": lambda run, text: run["devices"][0].update(vendor=text),
    "firmware": lambda run, text: run["devices"][0].update(firmware=text),
    "processor": lambda run, text: run["env"].update(cpu_model=text),
    "kernel": lambda run, text: run["env"].update(kernel=text),
    "cloud": lambda run, text: run["env"].update(cloud_product=text),
}
CLAIMED_AT_HOME = {"home": lambda run, text: run["claim"].update(provider="Home", plan=text)}
CONTROL = {
    "ansi": "\x1b[2J", "bidi": "\u202eevil", "newline": "a\nSet-Cookie: x=1", "nul": "a\0b",
    "zero-width": "a\u200bb",
}  # fmt: skip


def daily(kind: str) -> Any:
    return pytest.param(kind, marks=pytest.mark.daily)


def recorded(field: str, text: str) -> Run:
    document = make.payload()
    (FIELDS | CLAIMED_AT_HOME)[field](document, text)
    record_run(upload=make.upload(document, state="done"))
    return Run.objects.get(pk=document["run_id"])


def pages_of(run: Run) -> list[str]:
    own = f"/runs/{run.slug}/"
    found = [own, f"/zh-hans{own}", f"{own}commit-8k/", f"/badge/run/{run.slug}.svg",
             "/runs/", "/uploads/", "/drives/unknown/", "/runs.atom"]  # fmt: skip
    if run.plan_id:
        found += [f"/plans/{run.plan_id}/", f"/badge/plan/{run.plan_id}.svg"]
    return found


def shown(client: Client, run: Run, more: Sequence[str] = ()) -> str:
    """The text of every page that may show something of a run."""
    answers: list[Any] = [client.get(path) for path in (*pages_of(run), *more)]
    assert sum(answer.status_code == 200 for answer in answers) >= 5
    return "\n".join(text_of(answer) for answer in answers if answer.status_code == 200)


def text_of(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode(errors="replace"))


def forget() -> None:
    """Forget all runs and what was made of their words."""
    Run.objects.all().delete()
    Upload.objects.all().delete()
    Plan.objects.filter(is_listed=False).delete()


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    "kind",
    [
        "script",
        *(pytest.param(each, marks=pytest.mark.daily) for each in ("image", "svg", "comment")),
    ],
)
def test_markup_in_a_run_is_text_everywhere(
    weakened: Weakened, client: Client, field: str, kind: str
) -> None:
    text = MARKUP[kind]
    assert text not in shown(client, recorded(field, text))
    forget()
    with weakened.without_escaping(), weakened.without_held_names():
        assert text in shown(client, recorded(field, text))


class Attributes(HTMLParser):
    """The names of all attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {name for name, _ in attrs}


@pytest.mark.parametrize("field", ["plan", "model", "vendor"])  # what stands in attributes
def test_a_quote_in_a_run_ends_no_attribute(weakened: Weakened, client: Client, field: str) -> None:
    text = MARKUP["attribute"]
    assert "onfocus" not in Attributes(shown(client, recorded(field, text))).names
    forget()
    with weakened.without_escaping(), weakened.without_held_names():
        assert "onfocus" in Attributes(shown(client, recorded(field, text))).names


@pytest.mark.parametrize("field", ["plan", "model", "processor", "kernel"])
@pytest.mark.parametrize("kind", ["template", "tag"])
def test_template_syntax_in_a_run_is_never_executed(
    weakened: Weakened, client: Client, settings: Any, field: str, kind: str
) -> None:
    result = {"template": settings.SECRET_KEY, "tag": "lorem ipsum dolor"}[kind]
    with weakened.without_held_names():  # else no plan is shown at all
        run = recorded(field, MARKUP[kind])
        page = shown(client, run)
        assert result not in page
        assert MARKUP[kind] in page  # as it was typed: neither sign is one of HTML
        with weakened.with_templates_of_strangers():
            assert result in shown(client, run)


@pytest.mark.parametrize("kind", ["formula", "later"])
@pytest.mark.parametrize("field", ["home", "model"])
def test_no_cell_of_a_table_is_a_formula(
    weakened: Weakened, client: Client, field: str, kind: str
) -> None:
    def is_formula() -> bool:
        answer: Any = client.get("/runs.csv")
        body = b"".join(answer.streaming_content).decode()
        by_comma = [cell for line in csv.reader(io.StringIO(body)) for cell in line]
        by_semicolon = [cell for line in body.splitlines() for cell in line.split(";")]
        return any(cell.startswith("=") for cell in by_comma + by_semicolon)

    with weakened.without_held_names():
        recorded(field, MARKUP[kind])
        assert not is_formula()
        with weakened.without_formula_guard():
            assert is_formula()


@pytest.mark.parametrize("field", ["plan", "provider", "home", "region"])
def test_words_of_a_claim_wait_for_a_person(weakened: Weakened, client: Client, field: str) -> None:
    words = "cheap-disks.example"
    run = recorded(field, words)
    more = [f"/api/v1/runs/{run.slug}", "/api/v1/runs", "/runs.csv", "/search/?q=cheap-disks",
            f"/og/run/{run.slug}.png", "/sitemap.xml"]  # fmt: skip
    assert words not in shown(client, run, more)
    assert "cheap-disks" not in str(run.plan_id)
    assert f"an unlisted plan {str(run.plan_id)[-12:]}" in shown(client, run)
    forget()
    with weakened.without_held_names():
        run = recorded(field, words)
        assert words in shown(client, run)


@pytest.mark.parametrize("field", ["plan", "provider", "home", "region"])
def test_signed_bytes_wait_with_the_words_in_them(
    weakened: Weakened, client: Client, field: str
) -> None:
    run = recorded(field, "cheap-disks.example")
    path = f"/runs/{run.slug}/envelope.json"
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["type"].endswith("/problems/not-found")
    assert "cheap-disks" not in answer.content.decode()
    assert path not in client.get(f"/runs/{run.slug}/").content.decode()
    assert client.get(f"/api/v1/runs/{run.slug}").json()["envelope_url"] is None
    with weakened.with_envelopes_of_held_names():
        assert client.get(path).status_code == 200


def test_signed_bytes_are_handed_out_once_a_person_has_read_the_words(
    weakened: Weakened, client: Client
) -> None:
    run = recorded("plan", "cheap-disks.example")
    path = f"/runs/{run.slug}/envelope.json"
    moderator = make_staff()
    with weakened.with_envelopes_of_held_names():
        sent = client.get(path).content
    about = (Subject.PLAN, str(run.plan_id), REASON, moderator)
    (made,) = decide([Order("correct", *about, {"what": "accept-plan", "name": "Cheap"})])
    drain()
    assert client.get(path).content == sent
    undo([made.pk], by=moderator, reason="")
    drain()
    assert client.get(path).status_code == 404


def test_signed_bytes_of_an_excluded_run_are_not_handed_out(
    weakened: Weakened, client: Client
) -> None:
    document = make.payload()
    record_run(upload=make.upload(document, state="done"))
    path = f"/runs/{document['run_id']}/envelope.json"
    moderator = make_staff()
    assert client.get(path).status_code == 200
    (made,) = decide([Order("exclude", Subject.RUN, document["run_id"], REASON, moderator)])
    assert client.get(path).status_code == 404, "at once"
    drain()
    assert client.get(path).status_code == 404
    with weakened.with_envelopes_of_held_names():
        assert client.get(path).status_code == 200
    undo([made.pk], by=moderator, reason="")
    drain()
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("name", ["</script><svg onload=alert(1)>", "<!--<script>", "]]></script>"])
def test_a_name_in_the_data_of_a_page_ends_no_script(
    weakened: Weakened, client: Client, name: str
) -> None:
    plan = make.plan(name=name)
    path = f"/plans/{plan.slug}/"

    def ends_a_script() -> bool:
        page = client.get(path).content.decode()
        return any(name in part for part in page.split('<script type="application/ld+json">')[1:])

    assert not ends_a_script()
    with weakened.without_json_escapes():
        assert ends_a_script()


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("kind", CONTROL)
def test_control_signs_are_in_no_run(weakened: Weakened, field: str, kind: str) -> None:
    document = make.payload()
    FIELDS[field](document, CONTROL[kind])
    body = json.dumps(document).encode()
    with pytest.raises(BadRunError):
        read_run(body)
    with weakened.without_schema():
        read_run(body)
