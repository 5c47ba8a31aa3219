"""The server with one defence switched off: what an attempt must get past to be one.

Each is a context manager. An attempt that fails against the server and succeeds against the
weakened one shows that it is this defence that held, and that the test could notice its loss.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from django.test import override_settings
from django.utils.safestring import SafeString

from apps.accounts.models import AgentKey
from apps.wire import dsse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

UNBOUNDED = 10**12


@contextlib.contextmanager
def changed(*changes: tuple[str, Any]) -> Iterator[None]:
    """The server with these names of its modules bound to something else."""
    with contextlib.ExitStack() as stack:
        for name, value in changes:
            stack.enter_context(mock.patch(name, value))
        yield


def without_signatures() -> contextlib.AbstractContextManager[None]:
    """Every signature holds."""
    return changed(("apps.intake.opening.is_signed_by", lambda *_, **__: True))


def without_key_checks() -> contextlib.AbstractContextManager[None]:
    """Any 32 bytes are a key."""
    return changed(("apps.wire.keys.check_public_key", lambda _: None))


def without_revocation() -> contextlib.AbstractContextManager[None]:
    """A revoked key signs on."""
    return changed(("apps.intake.opening.AgentKey.State.REVOKED", AgentKey.State.ANONYMOUS))


def without_payload_types() -> contextlib.AbstractContextManager[None]:
    """Every statement is what its address wants."""
    return changed(("apps.intake.opening._check_type", lambda *_: None))


def without_structure_limits() -> contextlib.AbstractContextManager[None]:
    """JSON of any number of values is read."""
    return changed(
        ("apps.wire.reading.check_structure", lambda *_, **__: None),
        ("apps.wire.dsse._check_overhead", lambda *_: None),
    )


def without_depth_limit() -> contextlib.AbstractContextManager[None]:
    """JSON of any depth is read."""
    return changed(("apps.wire.reading.check_depth", lambda _: None))


def without_strict_members() -> contextlib.AbstractContextManager[None]:
    """The last of several members of one name counts."""
    return changed(("apps.wire.reading._object_of_unique_members", dict))


def without_number_limits() -> contextlib.AbstractContextManager[None]:
    """Numbers are whatever Python makes of them."""
    return changed(
        ("apps.wire.reading._bounded_integer", int),
        ("apps.wire.reading._refuse_float", float),
        ("apps.wire.reading._refuse_constant", float),
    )


def without_totals() -> contextlib.AbstractContextManager[None]:
    """A run may have any number of buckets and samples."""
    return changed(("apps.wire.run._total_faults", lambda _: iter(())))


def without_gzip_limits() -> contextlib.AbstractContextManager[None]:
    """A body unpacks to any size."""
    return changed(
        ("apps.intake.http.COMPRESSION_RATIO_MAX", UNBOUNDED),
        ("apps.intake.views.ENVELOPE_BYTES_MAX", UNBOUNDED),
        ("apps.intake.views.STATEMENT_ENVELOPE_BYTES_MAX", UNBOUNDED),
    )


def without_body_limits() -> contextlib.AbstractContextManager[None]:
    """Bodies of any length are taken."""
    return changed(("apps.config.edge.bodies.check_headers", lambda *_: 0))


def without_quotas() -> contextlib.AbstractContextManager[None]:
    """Nobody's requests are counted."""
    return changed(("apps.config.edge.quotas.spend", lambda *_, **__: None))


def without_share_of_keys_with_history() -> contextlib.AbstractContextManager[None]:
    """New keys may have all challenges of their network."""
    return changed(("apps.intake.services.challenges.check_new_keys_share", lambda *_, **__: None))


def without_origin_checks() -> contextlib.AbstractContextManager[None]:
    """Forms of pages of other sites are taken."""
    return changed(
        ("apps.intake.import_views.is_from_elsewhere", lambda _: False),
        ("apps.pages.search.wanted.is_from_elsewhere", lambda _: False),
    )


def without_look_alike_checks() -> contextlib.AbstractContextManager[None]:
    """Names are compared by nobody."""
    return changed(
        ("apps.intake.services.imports.foreign_letter", lambda _: ""),
        ("apps.intake.services.imports.looks_like", lambda *_: ""),
    )


def without_held_names() -> contextlib.AbstractContextManager[None]:
    """Free text of senders is shown at once."""
    return changed(
        ("apps.runs.imported.services._shown", lambda _imported, name, **_: name),
    )


def with_envelopes_as_sent() -> contextlib.AbstractContextManager[None]:
    """What nobody signed is kept with what somebody did."""
    kept: dict[str, bytes] = {}

    def read(raw: bytes, **limits: int) -> dsse.Envelope:
        kept["raw"] = raw
        return dsse.read_envelope(raw, **limits)

    return changed(
        ("apps.intake.opening.read_envelope", read),
        ("apps.intake.opening.written", lambda *_, **__: kept["raw"]),
        ("apps.wire.dsse._check_overhead", lambda *_: None),
    )


def with_hosts_of_anybody() -> contextlib.AbstractContextManager[Any]:
    """Every Host header is ours."""
    return override_settings(ALLOWED_HOSTS=["*"])


@contextlib.contextmanager
def without_escaping() -> Iterator[None]:
    """Templates print what strangers wrote as it is."""
    with (
        mock.patch("django.template.base.conditional_escape", str),
        mock.patch("django.utils.html.conditional_escape", SafeString),
    ):
        yield


def without_formula_guard() -> contextlib.AbstractContextManager[None]:
    """Cells of tables are written as they are."""
    return changed(
        ("apps.pages.boards.exports.without_formula", lambda value: value),
        ("apps.pages.compare.exports.without_formula", lambda value: value),
    )


def without_schema() -> contextlib.AbstractContextManager[None]:
    """A run may hold any text."""
    return changed(("apps.wire.run.schema_faults", lambda *_, **__: ()))


def without_document_signatures() -> contextlib.AbstractContextManager[None]:
    """Whatever says that a provider signed it is believed."""
    return changed(
        ("apps.runs.clouds.documents._is_signed", lambda *_: True),
        ("apps.runs.clouds.documents.check_signed_data", lambda *_, **__: None),
    )


def without_instance_keys() -> contextlib.AbstractContextManager[None]:
    """A machine of a cloud vouches for any key."""
    return changed(("apps.runs.clouds.proofs._is_its_key", lambda *_, **__: True))


def without_document_facts() -> contextlib.AbstractContextManager[None]:
    """A document need not be of the run's plan and region."""
    return changed(("apps.runs.clouds.proofs.disagreement_of", lambda *_: None))


def without_account_age() -> contextlib.AbstractContextManager[None]:
    """An account of today is known."""
    return changed(("apps.runs.trust.ownership.KNOWN_AFTER", timedelta(0)))


def without_deciding_accounts() -> contextlib.AbstractContextManager[None]:
    """Networks say when a cell changed and how wide it is, however many accounts there are."""

    def everybody(is_claimed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.ones(is_claimed.size, dtype=np.bool_)

    return changed(("apps.stats.standings.estimate.deciding", everybody))


def without_splits() -> contextlib.AbstractContextManager[None]:
    """What a person split is merged again."""
    return changed(("apps.runs.clusters.services._was_split", lambda _: False))
