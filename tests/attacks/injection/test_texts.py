"""Strings that want to be markup, formulas, templates or terminal codes, in every field."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from apps.runs.models import Run
from apps.runs.services import record_run
from apps.wire.run import BadRunError, read_run
from tests import make

if TYPE_CHECKING:
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
    "tag": "{% debug %}",
    "entity": "&lt;script&gt;1",
    "formula": "=cmd|'/c calc'!A0",
    "later": "x;=HYPERLINK(1)",
}
FIELDS = {
    "plan": lambda run, text: run["claim"].update(provider="Nobody", plan=text),
    "provider": lambda run, text: run["claim"].update(provider=text, plan="p"),
    "model": lambda run, text: run["devices"][0].update(model=text),
    "vendor": lambda run, text: run["devices"][0].update(vendor=text),
    "firmware": lambda run, text: run["devices"][0].update(firmware=text),
    "processor": lambda run, text: run["env"].update(cpu_model=text),
    "kernel": lambda run, text: run["env"].update(kernel=text),
    "cloud": lambda run, text: run["env"].update(cloud_product=text),
}
CONTROL = {
    "ansi": "\x1b[2J", "bidi": "\u202eevil", "newline": "a\nSet-Cookie: x=1", "nul": "a\0b",
    "zero-width": "a\u200bb",
}  # fmt: skip


def recorded(field: str, text: str) -> Run:
    document = make.payload()
    FIELDS[field](document, text)
    record_run(upload=make.upload(document, state="done"))
    return Run.objects.get(pk=document["run_id"])


def pages_of(run: Run) -> list[str]:
    own = f"/runs/{run.slug}/"
    found = [own, f"/zh-hans{own}", f"{own}commit-8k/", f"/badge/run/{run.slug}.svg",
             "/runs/", "/uploads/", "/drives/unknown/", "/runs.atom"]  # fmt: skip
    if run.plan_id:
        found += [f"/plans/{run.plan_id}/", f"/badge/plan/{run.plan_id}.svg"]
    return found


def shown(client: Client, run: Run) -> str:
    """The text of every page that may show something of a run."""
    answers = [client.get(path) for path in pages_of(run)]
    assert sum(answer.status_code == 200 for answer in answers) >= 5
    return "\n".join(answer.content.decode() for answer in answers if answer.status_code == 200)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("kind", ["script", "image", "svg", "comment"])
def test_markup_in_a_run_is_text_everywhere(client: Client, field: str, kind: str) -> None:
    text = MARKUP[kind]
    run = recorded(field, text)
    assert text not in shown(client, run)


class Attributes(HTMLParser):
    """The names of all attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {name for name, _ in attrs}


@pytest.mark.parametrize("field", FIELDS)
def test_a_quote_in_a_run_ends_no_attribute(weakened: Weakened, client: Client, field: str) -> None:
    run = recorded(field, MARKUP["attribute"])
    assert "onfocus" not in Attributes(shown(client, run)).names
    if field == "plan":
        with weakened.without_escaping():
            assert "onfocus" in Attributes(shown(client, run)).names


@pytest.mark.parametrize("field", ["plan", "model", "processor", "kernel"])
def test_without_escaping_the_same_markup_is_on_a_page(
    weakened: Weakened, client: Client, field: str
) -> None:
    run = recorded(field, MARKUP["image"])
    with weakened.without_escaping():
        assert MARKUP["image"] in shown(client, run)


@pytest.mark.parametrize("field", ["plan", "model", "processor", "kernel"])
@pytest.mark.parametrize("kind", ["template", "tag"])
def test_template_syntax_in_a_run_is_never_executed(
    client: Client, settings: Any, field: str, kind: str
) -> None:
    page = shown(client, recorded(field, MARKUP[kind]))
    assert settings.SECRET_KEY not in page
    assert MARKUP[kind] in page  # as it was typed: neither sign is one of HTML


@pytest.mark.parametrize("kind", ["formula", "later"])
@pytest.mark.parametrize("field", ["plan", "model"])
def test_no_cell_of_a_table_is_a_formula(
    weakened: Weakened, client: Client, field: str, kind: str
) -> None:
    recorded(field, MARKUP[kind])

    def is_formula() -> bool:
        answer: Any = client.get("/runs.csv")
        body = b"".join(answer.streaming_content).decode()
        by_comma = [cell for line in csv.reader(io.StringIO(body)) for cell in line]
        by_semicolon = [cell for line in body.splitlines() for cell in line.split(";")]
        return any(cell.startswith("=") for cell in by_comma + by_semicolon)

    assert not is_formula()
    if (field, kind) == ("plan", "later"):
        with weakened.without_formula_guard():
            assert is_formula()


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
