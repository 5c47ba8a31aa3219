"""Strings of strangers where no page is: in comparisons, pictures, logs and mails."""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from structlog.stdlib import ProcessorFormatter, get_logger

from tests import make
from tests.attacks.injection.test_texts import MARKUP, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
LINES = {
    "line": 'x\n{"event": "all is well"}', "return": 'x\r{"event": "forged"}',
    "ansi": "\x1b[2J\x1b[1;1H", "bell": "\x07", "bidi": "\u202egnp.exe",
}  # fmt: skip


def compared(client: Client, name: str) -> str:
    """A comparison of a plan of this name, as a page and as a table."""
    one, other = make.plan(name=name), make.plan()
    return text_of(client.get(f"/compare/?on=plan:{one.slug}&on=plan:{other.slug}"))


@pytest.mark.parametrize("kind", ["script", "image", "svg", "comment"])
def test_markup_in_a_comparison_is_text(weakened: Weakened, client: Client, kind: str) -> None:
    assert MARKUP[kind] not in compared(client, MARKUP[kind])
    with weakened.without_escaping():
        assert MARKUP[kind] in compared(client, MARKUP[kind] + "2")


@pytest.mark.parametrize("kind", LINES)
def test_a_line_of_the_log_is_one_line_without_signs_for_terminals(
    weakened: Weakened, kind: str
) -> None:
    assert is_harmless(logged(LINES[kind]))
    with weakened.with_logs_as_text():
        assert not is_harmless(logged(LINES[kind]))


def logged(text: str) -> str:
    """What stands in the log of a text of a stranger, in a field and as the event."""
    formatter: Any = settings.LOGGING["formatters"]["json"]
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(ProcessorFormatter(**{k: v for k, v in formatter.items() if k != "()"}))
    logger = logging.getLogger("tests.attacks")
    logger.addHandler(handler)
    try:
        get_logger("tests.attacks").warning(text, path=text)
        logger.warning("%s", text)
    finally:
        logger.removeHandler(handler)
    return out.getvalue()


def is_harmless(lines: str) -> bool:
    """Whether two lines of JSON hold printable ASCII alone."""
    parts = lines.removesuffix("\n").split("\n")
    is_plain = all(part.isascii() and part.isprintable() for part in parts)
    return len(parts) == 2 and is_plain and all(json.loads(part) for part in parts)


@pytest.mark.parametrize("sign", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("field", ["subject", "to", "reply_to"])
def test_a_line_break_adds_no_header_to_a_mail(weakened: Weakened, field: str, sign: str) -> None:
    text = f"x@example.org{sign}Bcc: all@example.org"

    def adds_a_header() -> bool:
        given: dict[str, Any] = {"subject": "s", "to": ["x@example.org"], "reply_to": None}
        given[field] = text if field == "subject" else [text]
        try:
            sent = EmailMessage(body="b", from_email="a@example.org", **given).message()
        except ValueError:
            return False
        lines = [line for value in sent.values() for line in str(value).splitlines()[1:]]
        return any(line.startswith("Bcc: all") for line in lines)

    assert not adds_a_header()
    with weakened.with_headers_of_several_lines():
        assert adds_a_header()
