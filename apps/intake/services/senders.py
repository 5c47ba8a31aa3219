"""Which key sends a request, by a signature in a header that is checked before any body is read.

A neighbour can use up what a network may ask. A key that sent a run a day ago has a part of its own
then: whoever wants such parts must have sent runs for each, and cannot sign for another's key.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from apps.accounts.clock import database_now
from apps.accounts.models import AgentKey
from apps.accounts.selectors import keys_by_id
from apps.intake.services.rate_limits import has_history
from apps.wire.dsse import (
    SENDER_PAYLOAD_TYPE,
    Envelope,
    Signature,
    decode_base64,
    is_signed_by,
)

if TYPE_CHECKING:
    from django.http import HttpRequest

HEADER: Final = "Fsyncmark-Sender"
PARTS: Final = 3  # the id of the key, seconds since 1970, the signature in base64
CLOCKS_DIFFER_S: Final = 600  # a clock that is further off has no part of its own
OUT_OF_USE: Final = (AgentKey.State.REVOKED, AgentKey.State.ROTATED)


def server_name(request: HttpRequest) -> str:
    """Return the name by which this server was asked, as agents state it."""
    return request.get_host().lower().removesuffix(":443" if request.is_secure() else ":80")


def known_sender(request: HttpRequest) -> str | None:
    """Return the id of the key that signed the header of a request, if that key has history.

    The signature is for this server, this address and this time, and for nothing else.
    """
    parts = request.headers.get(HEADER, "").split(" ")
    if len(parts) != PARTS:
        return None
    keyid, stated_s, signature = parts
    if not _is_now(stated_s):
        return None
    key = keys_by_id([keyid]).get(keyid)
    if key is None or key.state in OUT_OF_USE:
        return None
    body = "\n".join((server_name(request), request.path_info, stated_s)).encode()
    if not _is_signed(body, signature, key=key):
        return None
    return key.pk if has_history(key.pk, now=database_now()) else None


def _is_now(stated_s: str) -> bool:
    is_number = stated_s.isascii() and stated_s.isdigit() and len(stated_s) < len(str(10**12))
    return is_number and abs(time.time() - int(stated_s)) <= CLOCKS_DIFFER_S


def _is_signed(body: bytes, signature: str, *, key: AgentKey) -> bool:
    try:
        stated = Signature(keyid=key.pk, sig=decode_base64(signature))
    except ValueError:
        return False
    envelope = Envelope(SENDER_PAYLOAD_TYPE, body, (stated,))
    return is_signed_by(envelope, stated, public_key=bytes(key.public_key))
