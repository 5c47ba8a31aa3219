"""Every rule, on each side of its threshold."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from apps.intake.services.work import drain
from apps.runs import rules
from apps.runs.models import KeepsOut, Label, Level, Measurement, Outcome, Run
from apps.runs.rules import RULES, TABLE, Rule, RuleKind
from apps.runs.rules.peers.far_from_peers import far_from_peers
from apps.runs.services import _keep_reads_out
from apps.words.labels import sentences_of, text_of
from tests import make
from tests.runs.rules.cases import CASES
from tests.runs.rules.changes import Case, judged

pytestmark = pytest.mark.django_db

LOWERS = (RuleKind.CONSISTENCY, RuleKind.FRESHNESS)  # the level
# Rules that one run alone cannot break, and what they say of a cell: (modified z, uploaders).
OF_CELLS = {"far-from-peers": {True: [(3.51, 5), (-3.51, 9)], False: [(3.5, 5), (9.0, 4)]}}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_speaks_on_its_side_of_the_threshold(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case.patch is not None:
        case.patch(monkeypatch)
    run = judged(case)
    found = list(run.labels.values_list("rule", flat=True))
    assert found == ([case.about] if case.speaks else []), list(run.labels.values())
    if not case.speaks:
        assert (run.level, run.outcome, run.in_standings) == (Level.WITNESSED, Outcome.PASS, True)
        return
    rule, label = RULES[case.about], run.labels.get()
    assert (label.rule_version, label.outcome, label.keeps_out) == (
        rule.version, rule.outcome, rule.keeps_out,
    )  # fmt: skip
    assert text_of(label) == rule.text
    assert holds_no_words(label.figures)
    assert all(re.fullmatch(r"[^{}]+\.", sentence) for sentence in sentences_of(label))
    is_lowered = rule.kind in LOWERS
    assert run.level == (Level.SIGNED if is_lowered else Level.WITNESSED)
    assert run.outcome == rule.outcome
    assert run.in_standings == (not is_lowered and rule.keeps_out != KeepsOut.RUN)


def holds_no_words(figures: Any) -> bool:
    """Whether figures are whole numbers, ids and names, each without a full stop and a fraction."""
    if isinstance(figures, dict):
        return all(holds_no_words(each) for each in figures.values())
    if isinstance(figures, list):
        return all(holds_no_words(each) for each in figures)
    return isinstance(figures, int) or not str(figures).endswith(".")


@pytest.mark.parametrize("speaks", [True, False])
def test_a_rule_of_cells_speaks_on_its_side_of_the_threshold(*, speaks: bool) -> None:
    for modified_z, uploaders in OF_CELLS["far-from-peers"][speaks]:
        found = far_from_peers(modified_z=modified_z, uploaders=uploaders)
        assert (found is not None) is speaks


def test_every_rule_has_a_fixture_on_each_side_of_its_threshold() -> None:
    sides = Counter((case.about, case.speaks) for case in CASES)
    sides += Counter({(rule, side): len(sides) for rule in OF_CELLS for side in (True, False)})
    wanted = {(rule.id, side) for rule in TABLE for side in (True, False)}
    assert wanted - sides.keys() == set()
    assert sides.keys() - wanted == set(), "a case of a rule that is gone"


def test_each_file_is_one_rule_is_called_as_its_id_and_lies_in_the_folder_of_its_kind() -> None:
    top = Path(rules.__file__).parent
    files = [path for path in top.glob("*/**/*.py") if path.stem != "__init__"]
    assert sorted(path.stem.replace("_", "-") for path in files) == sorted(RULES)
    for path in files:
        parts = path.relative_to(top).with_suffix("").parts
        module = import_module(".".join((rules.__name__, *parts)))
        found = [each for each in vars(module).values() if isinstance(each, Rule)]
        assert [(each.id, each.kind) for each in found] == [
            (path.stem.replace("_", "-"), parts[0])
        ], path


def test_rules_stand_by_kind_and_the_gravest_first() -> None:
    kinds = list(RuleKind)
    places = [kinds.index(rule.kind) for rule in TABLE]
    assert places == sorted(places)
    environment = [rule for rule in TABLE if rule.kind is RuleKind.ENVIRONMENT]
    kept_out = [rule.keeps_out == KeepsOut.RUN for rule in environment]
    assert kept_out == sorted(kept_out, reverse=True)
    assert {True, False} == set(kept_out)
    outcomes = [(rule.keeps_out, rule.id) for rule in TABLE if rule.kind is RuleKind.PHYSICS]
    assert outcomes[:3] == [
        ("run", "faster-than-medium"), ("run", "writes-from-memory"), ("reads", "reads-from-cache"),
    ]  # fmt: skip


def test_every_rule_has_an_id_for_ever_and_words_for_people() -> None:
    assert len(RULES) == len(TABLE)
    for rule in TABLE:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
        for words in (rule.why, rule.remedy, rule.consequence):
            assert re.fullmatch(r"[A-Z{].*[.]", words), (rule.id, words)
        assert rule.basis or not rule.source, rule.id
        assert len(rule.text) <= 40 or rule.kind is RuleKind.PHYSICS
        assert rule.version >= 1


def test_quarantine_is_for_figures_that_do_not_fit_and_nothing_else() -> None:
    for rule in TABLE:
        is_grave = rule.kind is RuleKind.CONSISTENCY or rule.id == "revoked-key"
        assert (rule.outcome == Outcome.QUARANTINE) == is_grave
        assert rule.outcome != Outcome.PASS
        if rule.outcome == Outcome.QUARANTINE:
            assert rule.keeps_out == KeepsOut.RUN
        if rule.kind is RuleKind.BEHAVIOUR:
            assert rule.keeps_out in (KeepsOut.NOTHING, KeepsOut.WEIGHT)


def test_a_rule_is_judged_with_its_run_or_with_its_cell() -> None:
    assert {rule.id for rule in TABLE if rule.check is None} == OF_CELLS.keys()


@pytest.mark.parametrize(
    ("floor_ns", "rules"), [(40_000, []), (41_000, ["faster-than-medium"]), (None, [])]
)
def test_the_ladder_in_the_database_has_the_last_word_on_a_floor(
    floor_ns: int | None, rules: list[str]
) -> None:
    """Half of the commits of make.payload take 40 µs and a little."""
    expected = make.ladder_class(name="NVMe with PLP", floor_ns=floor_ns)
    make.drive_family(match=r"^(SAMSUNG[ _]+)?MZQL2", ladder_class=expected)
    make.upload(witnessed=True)
    drain()
    run = Run.objects.get()
    assert list(run.labels.values_list("rule", flat=True)) == rules
    assert run.level == Level.WITNESSED
    assert run.in_standings == (not rules)
    if rules:
        assert sentences_of(run.labels.get()) == [
            "commit-8k: p50 is 40.1 µs; the floor is 41 µs (any block device)."
        ]


def test_reads_of_a_cache_stand_nowhere_and_commits_do() -> None:
    case = next(case for case in CASES if case.about == "reads-from-cache" and case.speaks)
    run = judged(case)
    ranked = dict(run.measurements.values_list("workload", "is_ranked"))
    assert ranked == {
        "commit-8k": True, "commit-8k-fsync": True, "commit-8k-dsync": True,
        "read-4k-floor": False,
    }  # fmt: skip


def test_reads_of_a_cache_keep_out_reads_and_no_other_work() -> None:
    """Not what writes or commits in groups, which another floor judges."""
    label = Label(rule="reads-from-cache", keeps_out=KeepsOut.READS)
    operations = ("read", "write", "commit", "group-commit", "mix", "batch", "stall")
    measurements = [Measurement(operation=operation) for operation in operations]
    _keep_reads_out(measurements, [label])
    assert [each.operation for each in measurements if not each.is_ranked] == ["read", "mix"]


@pytest.mark.parametrize("keeps_out", [KeepsOut.NOTHING, KeepsOut.RUN])
def test_no_other_label_keeps_reads_out(keeps_out: KeepsOut) -> None:
    measurements = [Measurement(operation=operation) for operation in ("read", "commit")]
    _keep_reads_out(measurements, [Label(keeps_out=keeps_out)])
    assert all(each.is_ranked for each in measurements)


def test_the_worst_label_is_the_outcome_of_a_run() -> None:
    document = make.payload(env=make.environment(steal_permille=900))
    document["workloads"][0]["bytes"] += 1
    make.upload(document, witnessed=True)
    drain()
    run = Run.objects.get()
    outcomes = set(run.labels.values_list("outcome", flat=True))
    assert outcomes == {Outcome.LABEL, Outcome.QUARANTINE}
    assert run.outcome == Outcome.QUARANTINE


def test_an_upload_right_after_its_challenge_cannot_hold_a_minute() -> None:
    document = make.payload(latency_ns=9_000_000)
    make.upload(document, witnessed=True, challenge_issued_at=make.NOON - timedelta(seconds=30))
    drain()
    assert "server-clock" in Run.objects.get().labels.values_list("rule", flat=True)


def test_a_run_without_any_workload_is_incomplete_and_shown() -> None:
    make.upload(make.payload(workloads=[]), witnessed=True)
    drain()
    run = Run.objects.get()
    assert "suite-incomplete" in run.labels.values_list("rule", flat=True)
    assert (run.measured_class, run.flush_verdict, run.figures_sha256) == (None, "", "")
