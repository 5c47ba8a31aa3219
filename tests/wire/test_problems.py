"""The table of problem types."""

from __future__ import annotations

import re

from apps.wire.problems import PROBLEMS, UNKNOWN_KEY, Fault, Refusal, problem_document


def test_slugs_are_slugs_and_every_type_says_what_to_do() -> None:
    for slug, kind in PROBLEMS.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", slug)
        assert kind.slug == slug
        assert kind.advice.endswith(".")
        assert kind.status >= 400


def test_a_document_has_the_members_of_rfc_9457_and_the_faults() -> None:
    refusal = Refusal(
        UNKNOWN_KEY, "No such key.", faults=(Fault("/signatures/0/keyid", "is not enrolled"),)
    )
    assert problem_document(
        refusal, site_url="https://bench.example.org", instance="/api/v1/runs/1"
    ) == {
        "type": "https://bench.example.org/problems/unknown-key",
        "title": "Key not enrolled",
        "status": 404,
        "detail": "No such key. PUT the key statement to /api/v1/keys/{keyid} first, then send "
        "this again.",
        "instance": "/api/v1/runs/1",
        "errors": [{"pointer": "/signatures/0/keyid", "detail": "is not enrolled"}],
    }
