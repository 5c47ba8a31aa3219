"""The demo's proof: it believes pages, not itself."""

from __future__ import annotations

from typing import Any

import pytest

from apps.config.one_machine import proof
from apps.config.one_machine.proof import (
    ProofError,
    Site,
    check_is_out,
    check_result,
    check_result_soon,
    check_row,
    rows_of,
    stored_rate,
)

RUN = {"slug": "r", "plan": "home-box", "provider": "home", "state": "done", "labels": []}
LABELS = [
    {"text": "others used the drive", "keeps_out": "run"},
    {"text": "drive not known", "keeps_out": "nothing"},
]
STANDING = {
    "plan": "home-box",
    "provider": "home",
    "newest_run": "r",
    "rate_per_s": 10318.4,
    "n_runs": 1,
}
ROW = '<table><tr><td><a href="/plans/home-box/">box</a></td><td>{}</td></tr></table>'


class Paper(Site):
    """A site that is written down."""

    def __init__(self, pages: dict[str, Any]) -> None:
        super().__init__("http://site")
        object.__setattr__(self, "pages", pages)

    def text(self, path: str) -> str:
        pages: dict[str, str] = self.pages  # type: ignore[attr-defined]  # set above, past the frozen class
        return pages[path.partition("?")[0]]

    def run(self, run_id: str) -> dict[str, Any]:
        changed: dict[str, dict[str, Any]] = {"bad": {"state": "poison"}, "out": {"labels": LABELS}}
        return RUN | changed.get(run_id, {})

    def standing_of(self, run_id: str) -> dict[str, Any] | None:
        return None if run_id in {"alone", "out"} else STANDING


def paper(**changed: str) -> Paper:
    pages = {"/runs/r/": "10,318", "/badge/run/r.svg": "10,318", "/plans/": ROW.format("10,318")}
    pages |= {
        "/runs/alone/": "10,318",
        "/badge/run/alone.svg": "10,318",
        "/runs/out/": "10,318. This run does not count. others used the drive",
        "/badge/run/out.svg": "10,318",
        "/plans/home-box/": "10,318",
    }
    return Paper(pages | changed)


def test_a_site_that_shows_the_figure_everywhere_passes() -> None:
    check_result(paper(), run_id="r", commits_per_s=10318.4)


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("/runs/r/", "9,000"),
        ("/badge/run/r.svg", "9,000"),
        ("/plans/", ROW.format("9,000")),
        ("/plans/", "10,318 but in no row"),
        ("/plans/home-box/", "9,000"),
    ],
)
def test_one_place_with_another_figure_fails(path: str, instead: str) -> None:
    with pytest.raises(ProofError, match=path.replace(".", r"\.")):
        check_result(paper(**{path: instead}), run_id="r", commits_per_s=10318.4)


def test_the_rate_of_the_site_is_shown_where_the_agent_rounded_the_same_one() -> None:
    """10,439.495 is 10,439 on pages; of the 10,439.5 that the agent prints it would be 10,440."""
    measurements = [
        {"workload": "read", "rate_per_s": 1.0},
        {"workload": "commit-8k", "rate_per_s": 10439.4954},
    ]
    run = RUN | {"measurements": measurements}
    assert stored_rate(run, reported_per_s=10439.5) == 10439.4954
    with pytest.raises(ProofError, match="reported as 9000"):
        stored_rate(run, reported_per_s=9000.0)
    with pytest.raises(ProofError, match="stored with"):
        stored_rate(RUN | {"measurements": []}, reported_per_s=9000.0)


def test_a_run_that_counts_nowhere_without_a_reason_fails() -> None:
    with pytest.raises(ProofError, match="counts in no standing"):
        check_result(paper(), run_id="alone", commits_per_s=10318.4)


def test_an_answer_that_is_older_than_another_is_asked_for_again() -> None:
    site = paper(**{"/plans/": ROW.format("9,000")})
    shown = iter([ROW.format("9,000"), ROW.format("10,318")])

    class Turns(Paper):
        def text(self, path: str) -> str:
            return next(shown) if path.startswith("/plans/?") else site.text(path)

    check_result_soon(Turns({}), run_id="r", commits_per_s=10318.4)
    assert next(shown, None) is None


def test_an_answer_that_stays_wrong_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "STALE_SECONDS", 0)
    with pytest.raises(ProofError, match="/plans/"):
        check_result_soon(
            paper(**{"/plans/": ROW.format("9,000")}), run_id="r", commits_per_s=10318.4
        )


def test_a_run_that_does_not_count_passes_where_its_page_says_why() -> None:
    check_result(paper(), run_id="out", commits_per_s=10318.4)


@pytest.mark.parametrize(
    ("path", "instead", "missing"),
    [
        ("/runs/out/", "10,318. others used the drive", "This run does not count"),
        ("/runs/out/", "10,318. This run does not count.", "others used the drive"),
        ("/badge/run/out.svg", "9,000", "10,318"),
    ],
)
def test_a_run_that_does_not_count_says_so_everywhere(
    path: str, instead: str, missing: str
) -> None:
    with pytest.raises(ProofError, match=missing):
        check_result(paper(**{path: instead}), run_id="out", commits_per_s=10318.4)


def test_a_run_that_does_not_count_has_no_row() -> None:
    with pytest.raises(ProofError, match="in spite of: others used the drive"):
        check_is_out(paper(), "out", STANDING, reasons=("others used the drive",))


def test_a_standing_of_one_run_must_be_that_run_and_a_median_need_not() -> None:
    with pytest.raises(ProofError, match="its only run 9,000"):
        check_row(paper(), STANDING, figure="9,000")
    check_row(paper(), {**STANDING, "n_runs": 3}, figure="9,000")


def test_a_run_that_cannot_be_normalised_is_not_waited_for() -> None:
    assert paper().run_is_done("r")
    with pytest.raises(ProofError, match="could not be normalised"):
        paper().run_is_done("bad")


def test_rows_keep_their_text_and_links_apart() -> None:
    page = "<p>x</p><ul><li>one <a href='/a'>A</a><li></ul>" + ROW.format("<b>1</b> 2")
    assert ("box 1 2", {"/plans/home-box/"}) in rows_of(page)
