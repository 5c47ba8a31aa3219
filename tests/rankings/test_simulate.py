"""`manage.py simulate`: the tables of the method page are those that the command makes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from apps.rankings import simulated
from apps.rankings.management.commands import simulate

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

PAGE = Path(__file__).parents[2] / simulate.PAGE


@pytest.mark.slow
@pytest.mark.daily
def test_the_method_page_carries_what_the_command_prints() -> None:
    out = StringIO()
    call_command("simulate", stdout=out)
    page = PAGE.read_text(encoding="utf-8")
    assert simulated.replaced(page, out.getvalue().rstrip("\n")) == page, (
        "the tables of docs/methodology.md are old: run `./run manage simulate --write`"
    )


def test_the_command_writes_its_section_and_leaves_the_rest(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / simulate.PAGE
    page.parent.mkdir()
    page.write_text("# A\n\n## Simulated\n\nold\n\n## After\n\nkept\n", encoding="utf-8")
    settings.BASE_DIR = tmp_path
    monkeypatch.setattr(simulate, "section", lambda: "## Simulated\n\nnew")
    call_command("simulate", "--write", stdout=StringIO())
    expected = "# A\n\n## Simulated\n\nnew\n\n## After\n\nkept\n"
    assert page.read_text(encoding="utf-8") == expected


def test_the_section_may_be_the_last_and_must_be_there() -> None:
    assert simulated.replaced("## Simulated\n\nold\n", "## Simulated\n\nnew") == (
        "## Simulated\n\nnew\n"
    )
    with pytest.raises(ValueError, match="no heading '## Simulated'"):
        simulated.replaced("# A page\n", "")


def test_few_trials_make_the_same_tables_each_time() -> None:
    few = simulated.section(trials=50, split_trials=5, boards=2)
    assert few == simulated.section(trials=50, split_trials=5, boards=2)
    assert few.count("\n| --- |") == 5
