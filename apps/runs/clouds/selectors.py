"""Reads of what stands behind where runs were made, and of runs that were never reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from apps.runs.clouds.proofs import disagreement_of
from apps.runs.models import Run, Upload
from apps.runs.provenance import CloudProof
from apps.runs.selectors import NEWEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Annotation of a run: the columns of a provider's word about it, in a list of one, or none.
PROOFS: Final = ArraySubquery(
    CloudProof.objects.filter(pk=OuterRef("upload_id")).values(
        found=JSONObject(
            run_id="run_id", provider="provider", state="state", refusal="refusal",
            instance_type="instance_type", zone="zone",
        )
    )
)  # fmt: skip
SENDERS_RUNS_MAX: Final = 1_000  # the newest of a plan: of millions a page cannot ask each key
# Annotation of a plan: challenges of the keys that sent its newest runs, each at its newest one.
SENDERS_OF_PLAN: Final = ArraySubquery(
    Upload.objects.filter(
        pk__in=Run.objects.filter(plan=OuterRef(OuterRef("pk")))
        .order_by(*NEWEST_FIRST)
        .values("upload")[:SENDERS_RUNS_MAX],
        challenges_issued__isnull=False,
    )
    .order_by("key", "-received_at", "-pk")
    .distinct("key")
    .values(found=JSONObject(issued="challenges_issued", abandoned="challenges_abandoned"))
)


@dataclass(frozen=True, slots=True)
class Challenges:
    """Challenges that were issued within a month, and those whose runs never came."""

    issued: int
    abandoned: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is known of where a run was made, beside what the machine says itself."""

    proof: CloudProof | None  # a provider's word, where one was sent
    refusal: str  # why it proves nothing of this run; blank: it does, or nobody has checked it
    network_provider: str  # slug, in whose network the sender was; blank: none is known
    challenges: Challenges | None  # None: not counted


def provenance_of(run: Run) -> Provenance:
    """Return what stands behind the place of a run that was read with `PROOFS` and its upload."""
    upload = run.upload
    proof = CloudProof(**found[0]) if (found := getattr(run, "proofs", None)) else None
    refusal = proof.refusal if proof else ""
    if proof is not None and proof.state == CloudProof.State.HOLDS:
        refusal = disagreement_of(proof, run) or ""
    issued = upload.challenges_issued if upload else None
    abandoned = upload.challenges_abandoned if upload else None
    counted = Challenges(issued, abandoned or 0) if issued else None
    return Provenance(proof, refusal, upload.network_provider if upload else "", counted)


def challenges_of_key(keyid: str) -> Challenges:
    """Return the challenges of a key and of whom it is counted with, at its newest run: 1 query."""
    newest = Upload.objects.filter(key=keyid, challenges_issued__isnull=False)
    columns = ("challenges_issued", "challenges_abandoned")
    issued, abandoned = newest.order_by("-received_at").values_list(*columns).first() or (0, 0)
    return Challenges(issued or 0, abandoned or 0)


def challenges_of_senders(counted: Iterable[Mapping[str, int | None]]) -> Challenges:
    """Return the sum of what `SENDERS_OF_PLAN` read: every key at its newest run.

    Which plan a run that never came would have been of, nobody can know.
    """
    rows = tuple(counted)
    return Challenges(
        sum(each["issued"] or 0 for each in rows), sum(each["abandoned"] or 0 for each in rows)
    )
