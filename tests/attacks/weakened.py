"""The server with one defence switched off: what an attempt must get past to be one.

Each is a context manager. An attempt that fails against the server and succeeds against the
weakened one shows that it is this defence that held, and that the test could notice its loss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from django.conf import settings
from django.middleware.csrf import get_token
from django.template import Context, Template, TemplateSyntaxError
from django.template.base import VariableNode
from django.test import override_settings
from django.utils.safestring import SafeString

from apps.config.one_machine.environment import ROOT
from apps.embedded.postgres import free_port, is_free
from apps.embedded.process import wait_until
from apps.wire import dsse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.http import HttpRequest, HttpResponse
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
        ("apps.wire.reading._bounded_integer", lambda digits, **_: int(digits)),
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
        ("apps.plans.services.held_plan_name", lambda sent, _digits, **_: sent),
        ("apps.plans.services.held_slug", lambda slug: slug),
        ("apps.runs.services.shown_claim", lambda claim, **_: claim),
        ("apps.runs.services.shown_region", lambda sent, **_: sent),
    )


def with_envelopes_as_sent() -> contextlib.AbstractContextManager[None]:
    """What nobody signed is kept with what somebody did."""
    kept: dict[str, bytes] = {}

    def read(raw: bytes, **limits: int) -> dsse.Envelope:
        kept["raw"] = raw
        return dsse.read_envelope(raw, **limits)

    return changed(
        ("apps.intake.opening.read_envelope", read),
        ("apps.runs.models.written", lambda *_, **__: kept["raw"]),
        ("apps.wire.dsse._check_overhead", lambda *_: None),
    )


def with_hosts_of_anybody() -> contextlib.AbstractContextManager[None]:
    """Every Host header is ours."""
    return changed(
        ("django.http.request.HttpRequest.get_host", lambda self: self.META["HTTP_HOST"])
    )


def with_addresses_by(header: str) -> contextlib.AbstractContextManager[None]:
    """A header says where the site is."""
    return changed(
        (
            "apps.pages.frame.addresses.canonical",
            lambda request, _keys=None: f"https://{request.META[f'HTTP_{header}']}{request.path}",
        )
    )


def with_redirects_as_asked() -> contextlib.AbstractContextManager[None]:
    """A slash is added to whatever has none."""
    common = "django.middleware.common.CommonMiddleware"
    return changed(
        (f"{common}.should_redirect_with_slash", lambda *_: True),
        ("django.middleware.common.escape_leading_slashes", lambda url: url),
    )


def with_tokens_for_everybody() -> contextlib.AbstractContextManager[None]:
    """Each page sets the cookie of a form."""
    csrf = "django.middleware.csrf.CsrfViewMiddleware"
    return changed((f"{csrf}.process_request", lambda _self, request: void(get_token(request))))


def void(_value: object) -> None:
    """Take a value and return nothing."""


def without_cache_rules() -> contextlib.AbstractContextManager[None]:
    """Nobody says how long a page may be kept."""

    def answer(middleware: Any, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = middleware.get_response(request)
        del response.headers["Cache-Control"]
        return response

    return changed(("apps.config.edge.caching.SharedPagesMiddleware.__call__", answer))


def with_quotas_by_address() -> contextlib.AbstractContextManager[None]:
    """Each address has a quota of its own."""
    return changed(
        (
            "apps.config.edge.quotas.networks_of",
            lambda request: SimpleNamespace(quota=request.META["REMOTE_ADDR"]),
        )
    )


def with_forwarded_addresses() -> contextlib.AbstractContextManager[Any]:
    """Everybody is believed to be a proxy of ours."""
    return override_settings(TRUSTED_PROXY_HOPS=1)


def with_digests_of_bytes() -> contextlib.AbstractContextManager[None]:
    """Outputs are the same if each of their bytes is."""
    return changed(
        (
            "apps.intake.services.imports.content_digest",
            lambda raw: hashlib.sha256(raw).digest(),
        )
    )


def with_first_words_that_stick() -> contextlib.AbstractContextManager[None]:
    """Who sends an output first names its machine."""
    return changed(("apps.intake.services.imports._claimed_again", lambda file, *_, **__: file))


def without_json_escapes() -> contextlib.AbstractContextManager[None]:
    """Data in a page is written as it is."""
    return changed(("apps.pages.templatetags.head.SCRIPT_ESCAPES", {}))


def with_logs_as_text() -> contextlib.AbstractContextManager[None]:
    """A line of the log is what was logged, sign by sign."""
    return changed(
        (
            "structlog.processors.JSONRenderer.__call__",
            lambda _self, _l, _n, event: str(event.get("event", "")),
        )
    )


def with_headers_of_several_lines() -> contextlib.AbstractContextManager[None]:
    """A header of a mail is what it was set to."""
    return changed(
        (
            "django.core.mail.message.forbid_multi_line_headers",
            lambda name, value, _encoding: (name, str(value)),
        )
    )


def with_backtracking() -> contextlib.AbstractContextManager[None]:
    """Patterns are matched by Python's re."""
    return changed(
        ("apps.intake.importers.patterns.re2.compile", re.compile),
        ("apps.drives.recognition.re2.Set", SimpleNamespace(SearchSet=BacktrackingSet)),
    )


class BacktrackingSet:
    """What RE2 calls a set of patterns, tried one after the other."""

    def __init__(self, _options: object) -> None:
        self.patterns: list[re.Pattern[str]] = []

    def Add(self, pattern: str) -> None:  # noqa: N802  that is its name there
        """Take a pattern."""
        self.patterns.append(re.compile(pattern, re.IGNORECASE))

    def Compile(self) -> None:  # noqa: N802  as above
        """Do nothing."""

    def Match(self, text: str) -> list[int]:  # noqa: N802  as above
        """Return the places of those that match somewhere in a text."""
        return [at for at, pattern in enumerate(self.patterns) if pattern.search(text)]


@contextlib.contextmanager
def with_templates_of_strangers() -> Iterator[None]:
    """What a template prints is a template again."""
    render = VariableNode.render

    def twice(node: VariableNode, context: Context) -> str:
        printed = render(node, context)
        if "{{" not in printed and "{%" not in printed:
            return printed
        try:
            return Template(printed).render(Context({"settings": settings}))
        except TemplateSyntaxError:
            return printed

    with mock.patch.object(VariableNode, "render", twice):
        yield


@contextlib.contextmanager
def without_escaping() -> Iterator[None]:
    """Templates print what strangers wrote as it is."""
    with (
        mock.patch("django.template.base.conditional_escape", str),
        mock.patch("django.utils.html.conditional_escape", SafeString),
        mock.patch("django.template.defaultfilters.escape", str),
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


@contextlib.contextmanager
def serving(
    what: Sequence[str] = ("--interface", "rsgi", "apps.config.edge.server:application"),
    **environment: str,
) -> Iterator[str]:
    """A web server of one worker with these settings; gives its address."""
    port = free_port()
    server = subprocess.Popen(
        [str(Path(sys.executable).with_name("granian")), *what, "--workers", "1", "--no-ws",
         "--host", "127.0.0.1", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "ALLOWED_HOSTS": "*", "SITE_URL": f"http://127.0.0.1:{port}",
             **environment},
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_until(lambda: not is_free(port), what="the server listens", seconds=60, children=())
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)  # and its worker
        server.wait()
