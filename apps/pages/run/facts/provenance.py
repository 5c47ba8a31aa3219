"""What stands behind where a run was made: a provider's word, and runs that never came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import words
from apps.pages.show.facts.fact import Fact
from apps.pages.show.phrases import join_facts
from apps.runs.provenance import CloudProof

if TYPE_CHECKING:
    from apps.runs.clouds.selectors import Provenance


def provenance_facts(found: Provenance) -> tuple[Fact, ...]:
    """Lines about what is known; nothing where nothing is."""
    facts = _proof_facts(found)
    if found.challenges is not None:
        lost = words.never_reported(found.challenges)
        facts.append(Fact(_("Never reported"), lost, _("of this key, in a month")))
    return tuple(facts)


def _proof_facts(found: Provenance) -> list[Fact]:
    proof = found.proof
    if proof is None or proof.state == CloudProof.State.WAITING:
        return []
    if found.refusal:
        reason = words.PROOF_REFUSALS.get(found.refusal, "")
        return [Fact(_("Provider's document"), _("proves nothing here"), reason)]
    signed = join_facts(each for each in (proof.instance_type, proof.zone) if each)
    return [Fact(_("The provider signed"), signed, found.network_provider)]
