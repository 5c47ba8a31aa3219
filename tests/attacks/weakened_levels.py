"""Servers without one of their guards of levels: how far a run is believed, and as whose."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import jwt

from apps.rankings.models import Evidence
from apps.runs.clouds import certificates, documents
from apps.runs.models import CloudProof
from apps.runs.trust import levels
from apps.stats.standings import agreement
from tests import make
from tests.attacks.weakened import UNBOUNDED, changed
from tests.attacks.weakened_door import NeverRaisedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager as Server
    from datetime import datetime
    from uuid import UUID

    from apps.runs.clouds.certificates import CloudCertificate
    from apps.runs.clouds.documents import Sent
    from apps.stats.standings.agreement import Reach
    from apps.stats.standings.estimate import RunPoint

DOCUMENTS: Final = "apps.runs.clouds.documents"
STATEMENTS: Final = "apps.intake.services.key_statements"
CENTURY: Final = timedelta(days=36_525)
RULES: Final = {
    "births": "apps.runs.clusters.finding._born_together",
    "machines": "apps.runs.clusters.finding._one_machine",
    "hosters": "apps.runs.clusters.finding._one_hoster",
}


# --- voices --------------------------------------------------------------------------------------


def with_accounts_that_outvote() -> Server[None]:
    """Anonymous uploaders have little of a cell as soon as one account is in it."""
    return changed(("apps.stats.standings.weights.RANKED_CLAIMED_MIN", 1))


def with_headlines_by_numbers() -> Server[None]:
    """The region with the most uploaders stands for a plan, whoever they are."""
    return changed(("apps.rankings.choice.RANKED_CLAIMED_MIN", UNBOUNDED))


def with_people_that_verified_nothing() -> Server[None]:
    """A new account is known by having been made."""
    return changed(("apps.runs.trust.ownership._verified_at", lambda _: make.NOON - CENTURY))


def with_networks_that_reproduce() -> Server[None]:
    """Networks reproduce a cell as accounts do."""

    def agreeing(points: Sequence[RunPoint], reaches: Sequence[Reach]) -> int:
        return agreement.agreeing([replace(each, is_claimed=True) for each in points], reaches)

    return changed(("apps.rankings.standings.drafts.agreeing", agreeing))


def with_a_voice_for_each_run() -> Server[None]:
    """Each run that agrees is somebody."""

    class Somebody(dict[str, str]):
        def __missing__(self, _: str) -> str:
            return str(make.number())

    return changed(("apps.stats.standings.agreement.uploader_of_keys", lambda _: Somebody()))


def with_agreement_about_nothing() -> Server[None]:
    """All who measured a plan agree with each other."""

    def most_in_common(ranges: Iterable[Reach]) -> int:
        return sum(1 for _ in ranges)

    return changed(("apps.stats.standings.agreement.most_in_common", most_in_common))


def with_levels_as_sent() -> Server[None]:
    """A run has the level that its payload says; the schema lets it say one."""
    return changed(
        ("apps.wire.run.schema_faults", lambda *_, **__: ()),
        (
            "apps.runs.services._level_of",
            lambda _run, upload, _labels, **_: json.loads(upload.payload)["level"],
        ),
    )


def without_freshness() -> Server[None]:
    """A run may have been prepared before it was asked for."""

    def level_of(**known: bool) -> str:
        return levels.level_of(**known | {"is_fresh": True})

    return changed(("apps.runs.services.level_of", level_of))


def with_laboratories_among_others() -> Server[None]:
    """What a laboratory measured stands in the figures of everybody."""
    return changed(("apps.rankings.standings.points._evidence", lambda _: Evidence.MEASURED))


def without_rule_about(what: str) -> Server[None]:
    """One of the rules that find one person behind several names is gone."""
    return changed((RULES[what], lambda *_, **__: iter(())))


def with_strangers_merged() -> Server[None]:
    """Who has something in common is one person, also an account and a network."""
    return changed(("apps.runs.clusters.services._groups", lambda found: [list(found.uploaders)]))


# --- documents of clouds -------------------------------------------------------------------------


def without_networks_of_clouds() -> Server[None]:
    """A document without our challenge may come from anywhere."""
    return changed(("apps.runs.clouds.proofs._is_from_there", lambda *_: True))


def with_members_named_twice() -> Server[None]:
    """The last of two members of a name counts, and the signature is of neither."""
    return changed(
        (f"{DOCUMENTS}._once", dict),
        (f"{DOCUMENTS}._is_signed", lambda *_: True),
    )


def with_keys_of_any_region() -> Server[None]:
    """A certificate of a cloud signs for all of its regions."""

    def known(cloud: str, *, at: datetime) -> list[CloudCertificate]:
        found = certificates.certificates_of(cloud, at=at)
        return [replace(each, signs=mock.ANY) for each in found]

    return changed((f"{DOCUMENTS}.certificates_of", known))


def with_expired_certificates() -> Server[None]:
    """A certificate is valid for ever."""
    return changed(("apps.runs.clouds.certificates.CloudCertificate.holds_at", lambda *_: True))


def with_clocks_far_apart() -> Server[None]:
    """A document may be of any time."""
    return changed((f"{DOCUMENTS}.SKEW", CENTURY))


def with_azure() -> Server[None]:
    """A document of Azure is taken, though it says nothing of size and place."""
    return changed(("apps.wire.statements.CLOUDS", ("aws", "azure")))


def with_placements_by_anybody() -> Server[None]:
    """Any key says where a run was made."""
    return changed((f"{STATEMENTS}._check_own", lambda *_: None))


def with_any_challenge() -> Server[None]:
    """A placement may name the challenge of another run."""
    return changed((f"{STATEMENTS}._check_answered", lambda *_: None))


def with_late_answers() -> Server[None]:
    """A challenge that was answered too late is as good as one in time, in all three places."""
    late = SimpleNamespace(REDEEMED="expired")
    return changed(
        (f"{STATEMENTS}.ChallengeUse", late),
        ("apps.runs.clouds.proofs.ChallengeUse", late),
        ("apps.runs.services.ChallengeUse", late),
    )


def with_second_documents() -> Server[None]:
    """A second document takes the place of the first."""

    def forget(run_id: UUID) -> None:
        CloudProof.objects.filter(pk=run_id).delete()

    return changed((f"{STATEMENTS}._proof_of", forget))


def with_late_documents() -> Server[None]:
    """A run can be placed as long as it exists."""
    return changed((f"{STATEMENTS}.PLACEMENT_PERIOD", CENTURY))


def with_documents_of_any_length() -> Server[None]:
    """A document is read whatever its length: at the door, in the envelope, in the statement."""
    return changed(
        ("apps.config.edge.bodies.check_headers", lambda *_: 0),
        ("apps.intake.key_views.PLACEMENT_ENVELOPE_BYTES_MAX", UNBOUNDED),
        ("apps.intake.opening.PLACEMENT_BYTES_MAX", UNBOUNDED),
        ("apps.wire.statements.DOCUMENT_CHARACTERS_MAX", UNBOUNDED),
    )


def with_tokens_for_any_audience() -> Server[None]:
    """A token of Google is for us, whoever asked for it."""
    claims = documents._google_claims

    def read(sent: Sent) -> dict[str, Any]:
        return claims(sent) | {"aud": sent.challenge}

    return changed((f"{DOCUMENTS}._google_claims", read))


def with_algorithms_as_named() -> Server[None]:
    """A token says itself how it was signed, and that may be not at all."""

    def decode(token: str, *_: object, **__: object) -> Any:
        return jwt.api_jwt.PyJWT().decode(token, options={"verify_signature": False})

    return changed((f"{DOCUMENTS}.jwt.decode", decode))


def with_signatures_that_break() -> Server[None]:
    """What cannot be read as a signature stops whoever reads it."""
    return changed((f"{DOCUMENTS}.BadSignedDataError", NeverRaisedError))
