"""Rules: the list of them, and what each one means."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.rules.selectors import OF_READS, WITH_FLOORS, floor_rows, rules_by_kind, runs_with
from apps.pages.show import words
from apps.runs.rules import RULES
from apps.words.labels import why_of


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Every rule, by what it is about."""
    by_kind = rules_by_kind()
    context = {
        "kinds": [(words.RULE_KINDS[kind], kind, rows) for kind, rows in by_kind.items()],
        "has_runs": any(row.runs for rows in by_kind.values() for row in rows),
    }
    return render(request, "pages/rules/rules.html", context)


@require_safe
def rule(request: HttpRequest, rule_id: str) -> HttpResponse:
    """One rule: when and why it speaks, what its threshold rests on, and what to do."""
    chosen_rule = RULES.get(rule_id)
    if chosen_rule is None:
        raise Http404("no such rule")
    context = {
        "rule": chosen_rule,
        "why": why_of(chosen_rule),
        "runs": runs_with(chosen_rule),
        "floors": floor_rows() if chosen_rule.id in WITH_FLOORS else (),
        "is_of_reads": chosen_rule.id == OF_READS,
    }
    return render(request, "pages/rules/rule.html", context)
