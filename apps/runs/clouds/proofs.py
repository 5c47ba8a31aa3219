"""Checks waiting documents of providers in the worker, and throws them away.

What was signed stays, and whether it fits a run is decided anew whenever the run is made again: its
plan may have changed meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.crypto import salted_hmac

from apps.accounts.selectors import stands_in
from apps.plans.naming import provider_slug_of
from apps.plans.placement import VOLUME, PlacementClaim
from apps.plans.regions import place_of
from apps.plans.services import listed_plan_of
from apps.runs.clouds.documents import DocumentRefusedError, Refused, Sent, read_document
from apps.runs.models import ChallengeUse
from apps.runs.provenance import CloudInstance, CloudProof

if TYPE_CHECKING:
    from apps.plans.models import Plan
    from apps.runs.clouds.documents import SignedPlace
    from apps.runs.models import Run, Upload

State: Final = CloudProof.State


def is_placed(run: Run, upload: Upload) -> bool:
    """Whether a provider's document says that this run was made where it says: 1 to 5 queries,
    and one for each rotation of its key.

    Call it in the transaction that makes the run.
    """
    proof = CloudProof.objects.select_for_update(no_key=True).filter(pk=upload.run_id).first()
    if proof is None or upload.challenge_use != ChallengeUse.REDEEMED:
        return False
    if proof.state == State.WAITING:
        _check(proof, upload)
    return proof.state == State.HOLDS and disagreement_of(proof, run) is None


def disagreement_of(proof: CloudProof, run: Run) -> Refused | None:
    """Return what of a document that holds does not fit the run, or None: 1 query at most."""
    provider = provider_slug_of(proof.provider)
    plan = run.plan
    if plan is None or plan.provider_id != provider:
        return Refused.OTHER_TYPE
    if proof.instance_type and not _is_of_type(plan, proof, provider=provider):
        return Refused.OTHER_TYPE
    groups = {place_of(each, provider=provider).group for each in (run.region, proof.zone)}
    if len(groups - {""}) > 1:
        return Refused.OTHER_PLACE
    return None


def _is_of_type(plan: Plan, proof: CloudProof, *, provider: str) -> bool:
    """Whether a plan is that of the signed type, or a volume beside a machine of any type."""
    if plan.kind == VOLUME or plan.name.startswith(f"{proof.instance_type} + "):
        return True
    claim = PlacementClaim(provider=provider, plan=proof.instance_type)
    return listed_plan_of(claim, day=proof.received_at.date()) == plan


def _check(proof: CloudProof, upload: Upload) -> None:
    try:
        signed = _read(proof, upload)
    except DocumentRefusedError as error:
        proof.state, proof.refusal = State.REFUSED, error.reason
    else:
        proof.state = State.HOLDS
        proof.instance_type, proof.zone = signed.instance_type, signed.zone
    proof.document = proof.signature = ""
    proof.save()


def _read(proof: CloudProof, upload: Upload) -> SignedPlace:
    if upload.challenge_id is None or upload.challenge_issued_at is None:
        raise DocumentRefusedError(Refused.OTHER_CHALLENGE)
    signed = read_document(
        proof.provider,
        Sent(
            document=proof.document,
            signature=proof.signature,
            challenge=upload.challenge_id,
            issued_at=upload.challenge_issued_at,
            received_at=proof.received_at,
        ),
    )
    if not signed.is_fresh and not _is_from_there(upload, proof.provider):
        raise DocumentRefusedError(Refused.NOT_ITS_NETWORK)
    if not _is_its_key(proof.provider, signed.instance, upload=upload):
        raise DocumentRefusedError(Refused.OTHER_KEY)
    return signed


def _is_from_there(upload: Upload, cloud: str) -> bool:
    """Whether a run came from the network of its cloud: a document can be sent from anywhere."""
    return upload.network_provider == provider_slug_of(cloud)


def _is_its_key(cloud: str, instance: str, *, upload: Upload) -> bool:
    """Whether the instance vouched for no other key than this one or those that it replaced."""
    digest = salted_hmac("fsyncmark.instance", f"{cloud}:{instance}", algorithm="sha256")
    known, _ = CloudInstance.objects.get_or_create(
        instance=digest.hexdigest(), defaults={"key_id": upload.key_id}
    )
    return stands_in(upload.key_id, of=known.key_id)
