"""Reads of what stands behind where runs were made, and of runs that were never reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.runs.clouds.proofs import disagreement_of
from apps.runs.models import Upload
from apps.runs.provenance import CloudProof

if TYPE_CHECKING:
    from apps.runs.models import Run


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
    """Return what stands behind the place of an uploaded run: 2 queries, 3 with a proof."""
    columns = ("network_provider", "challenges_issued", "challenges_abandoned")
    row = Upload.objects.filter(pk=run.pk).values_list(*columns).first()
    network, issued, abandoned = row or ("", None, None)
    proof = CloudProof.objects.filter(pk=run.pk).first()
    refusal = proof.refusal if proof else ""
    if proof is not None and proof.state == CloudProof.State.HOLDS:
        refusal = disagreement_of(proof, run) or ""
    counted = Challenges(issued, abandoned or 0) if issued else None
    return Provenance(proof, refusal, network, counted)


def challenges_of_key(keyid: str) -> Challenges:
    """Return the challenges of a key and of whom it is counted with, at its newest run: 1 query."""
    newest = Upload.objects.filter(key=keyid, challenges_issued__isnull=False)
    columns = ("challenges_issued", "challenges_abandoned")
    issued, abandoned = newest.order_by("-received_at").values_list(*columns).first() or (0, 0)
    return Challenges(issued or 0, abandoned or 0)


def challenges_of_plan(slug: str) -> Challenges:
    """Return the challenges of all keys that sent runs of a plan, each at its newest run: 1 query.

    Which plan a run that never came would have been of, nobody can know.
    """
    newest = Upload.objects.filter(run__plan=slug, challenges_issued__isnull=False)
    newest = newest.order_by("key", "-received_at", "-pk").distinct("key")
    rows = list(newest.values_list("challenges_issued", "challenges_abandoned"))
    return Challenges(sum(issued or 0 for issued, _ in rows), sum(lost or 0 for _, lost in rows))
