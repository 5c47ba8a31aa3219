"""Private links by which who sent a run claims its key: used once, and stored as a hash."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction

from apps.accounts.clock import database_now
from apps.accounts.models import CLAIM_LINK_LIFE, AgentKey, ClaimLink, new_token, token_sha256
from apps.accounts.services import KeyRefusedError, claim_key

if TYPE_CHECKING:
    from uuid import UUID

    from django.contrib.auth.models import User

_NEW_LINK: Final = """
    WITH whose AS (
        SELECT keyid, state = %(anonymous)s AS is_free FROM accounts_agentkey
        WHERE keyid = %(key)s FOR NO KEY UPDATE
    ), void AS (
        DELETE FROM accounts_claimlink USING whose WHERE run_id = %(run_id)s AND NOT is_free
    )
    INSERT INTO accounts_claimlink (token_sha256, key_id, run_id, not_after)
    SELECT %(token_sha256)s, keyid, %(run_id)s, statement_timestamp() + %(life)s FROM whose
    WHERE is_free
    ON CONFLICT (run_id) DO UPDATE SET token_sha256 = excluded.token_sha256,
        key_id = excluded.key_id, not_after = excluded.not_after, used_at = NULL
"""


class LinkState(StrEnum):
    """What a claim link is good for."""

    OPEN = "open"
    USED = "used"
    EXPIRED = "expired"
    TAKEN = "taken"  # the key has an owner by another way, or is out of use


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A claim link that exists."""

    link: ClaimLink
    state: LinkState

    @property
    def key(self) -> AgentKey:
        """The key that it claims."""
        return self.link.key


def new_claim_link(*, key: AgentKey, run_id: UUID) -> str | None:
    """Return the token of a new link for the key of a run; None where the key has an owner.

    The link that the run had before is void. One statement, as each upload waits for it.
    """
    token = new_token()
    values: dict[str, Any] = {
        "token_sha256": token_sha256(token), "key": key.pk, "run_id": run_id,
        "life": CLAIM_LINK_LIFE, "anonymous": AgentKey.State.ANONYMOUS,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_NEW_LINK, values)
        return token if cursor.rowcount else None


def find_link(token: str) -> FoundLink | None:
    """Return the link of a token, or None: found by its hash, whose lookup tells no token."""
    link = ClaimLink.objects.select_related("key").filter(pk=token_sha256(token)).first()
    return None if link is None else FoundLink(link, _state_of(link))


@transaction.atomic
def use_link(token: str, user: User) -> FoundLink | None:
    """Claim the key of a link once; the state of the answer is what the link was before.

    None: there is no such link.
    """
    links = ClaimLink.objects.filter(pk=token_sha256(token))
    # the key first, as who makes a new link does: two that wait for each other would wait for ever
    key = AgentKey.objects.select_for_update(no_key=True).filter(claim_links__in=links).first()
    link = links.select_for_update().first()
    if key is None or link is None:
        return None
    link.key = key
    state = _state_of(link)
    if state is LinkState.OPEN:
        try:
            with transaction.atomic():
                link.key = claim_key(link.key, user)
        except KeyRefusedError:  # claimed or revoked a moment ago
            return FoundLink(link, LinkState.TAKEN)
        link.used_at = database_now()
        link.save(update_fields=("used_at",))
    return FoundLink(link, state)


def _state_of(link: ClaimLink) -> LinkState:
    if link.used_at is not None:
        return LinkState.USED
    if link.not_after < database_now():
        return LinkState.EXPIRED
    return LinkState.OPEN if link.key.state == AgentKey.State.ANONYMOUS else LinkState.TAKEN
