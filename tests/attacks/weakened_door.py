"""Servers without one of their guards of bodies and counts, also in a process of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.config.edge.server import BODIES_BYTES_MAX
from apps.config.processes import WEB_THREADS
from apps.intake import http
from apps.runs.models import Upload
from tests.attacks.weakened import UNBOUNDED, changed, serving

if TYPE_CHECKING:
    from contextlib import AbstractContextManager as Server

GZIP: Final = b"\x1f\x8b"  # RFC 1952, 2.3.1


class NeverRaisedError(Exception):
    """What nothing raises: who catches it instead of another error catches nothing."""


def with_gzip_in_gzip() -> Server[None]:
    """A body is unpacked as often as it was packed."""
    unpack = http.gunzip

    def gunzip(body: bytes, *, bytes_max: int) -> bytes:
        while body.startswith(GZIP):
            body = unpack(body, bytes_max=bytes_max)
        return body

    return changed(("apps.intake.http.gunzip", gunzip))


def with_envelopes_that_break() -> Server[None]:
    """What is no envelope is a fault of ours."""
    return changed(("apps.intake.opening.BadEnvelopeError", NeverRaisedError))


def with_challenges_of_each_key_alone() -> Server[None]:
    """A key answers for its own challenges, however new it is."""
    return changed(("apps.intake.services.accept.has_history", lambda *_, **__: True))


def with_quotas_that_must_count() -> Server[None]:
    """A request that cannot be counted is not answered."""
    return changed(("apps.config.edge.quotas.RedisError", NeverRaisedError))


def with_pages_by_address_alone() -> Server[None]:
    """What a page was asked with is no part of the name that it is kept under."""
    return changed(("apps.config.edge.pages.ALWAYS_IN_KEY", ()))


def with_personal_answers_kept() -> Server[None]:
    """An answer with a cookie or a quota of one reader is kept for all."""
    return changed(("apps.config.edge.pages.PERSONAL", frozenset()))


def with_signed_in_readers_among_all() -> Server[None]:
    """Who is signed in is answered with what is kept."""
    return changed(("apps.config.edge.pages.OWN_COOKIES", ()))


def with_metrics_for_everybody() -> Server[None]:
    """Whoever asks reads the metrics."""
    return changed(("apps.config.operation.metrics.may_see", lambda _request: True))


def serving_by_threads() -> Server[str]:
    """A thread takes each request at its first byte; gives the address."""
    threads = ("--blocking-threads", str(WEB_THREADS))
    return serving(("--interface", "wsgi", *threads, "apps.config.wsgi:application"))


def serving_without(guard: str) -> Server[str]:
    """The web server without a guard that `weakened_process` names; gives the address."""
    what = ("--interface", "rsgi", "tests.attacks.weakened_process:application")
    return serving(what, WEAKENED=guard)


def without_room_for_others() -> Server[None]:
    """Bodies of one network may fill all the room that there is."""
    return changed(("apps.config.edge.server.NETWORK_BYTES_MAX", BODIES_BYTES_MAX))


def without_share_of_keys_with_history() -> Server[None]:
    """A network's keys are all alike: none has history."""
    return changed(
        ("apps.intake.services.rate_limits.has_history", lambda *_, **__: False),
        ("apps.intake.services.accept.has_history", lambda *_, **__: False),
        ("apps.intake.services.senders.has_history", lambda *_, **__: False),
        ("apps.intake.services.rate_limits.runs_before", lambda *_, **__: Upload.objects.none()),
    )


def with_senders_as_stated() -> Server[None]:
    """Whoever names a key is its owner."""
    return changed(("apps.intake.services.senders.is_signed_by", lambda *_, **__: True))


def with_senders_of_any_time() -> Server[None]:
    """What a key signed once lets in for ever."""
    return changed(("apps.intake.services.senders.CLOCKS_DIFFER_S", UNBOUNDED))


def with_senders_of_new_keys() -> Server[None]:
    """A key of today has history."""
    return changed(("apps.intake.services.senders.has_history", lambda *_, **__: True))


def without_limits_of_uploads() -> Server[None]:
    """Runs are not counted by network."""
    return changed(("apps.intake.services.accept.count_upload", lambda *_, **__: []))
