"""What `fsyncmark explain` says of a server's labels is what their rules say."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from django.core.management import call_command

from apps.runs.management.commands.write_labels import LABELS_FILE
from apps.runs.rules import TABLE

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import Settings


def test_the_agent_has_the_words_of_every_rule(settings: Settings, tmp_path: Path) -> None:
    written = (settings.BASE_DIR / LABELS_FILE).read_text(encoding="ascii")
    heads = [line.split(":")[0] for line in written.splitlines() if line.startswith("[")]
    assert heads == [f"[label] {rule.id}" for rule in TABLE]
    settings.BASE_DIR = tmp_path
    (tmp_path / LABELS_FILE).parent.mkdir(parents=True)
    out = StringIO()
    call_command("write_labels", stdout=out)
    assert out.getvalue() == f"Wrote {LABELS_FILE}.\n"
    assert (tmp_path / LABELS_FILE).read_text() == written, "run: ./run manage write_labels"
