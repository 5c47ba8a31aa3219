"""Servers without one of their guards of reports, of terms, and of mails about watched plans."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from unittest import mock

from allauth.core import context
from django.core import signing
from django.core.mail import EmailMessage
from django.db import connection
from django.http import HttpResponse, HttpResponseRedirect
from markdown_it import MarkdownIt

from apps.accounts.mail import key_to_unlink
from apps.accounts.services import accept_terms
from apps.moderation.models import Report
from apps.pages.frame.decisions import line_of
from apps.pages.frame.documents import read_document, render
from apps.plans.models import Plan
from apps.watches.models import Watch
from tests.attacks.weakened import UNBOUNDED, changed, with_headers_of_several_lines
from tests.attacks.weakened_people import Server, routed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.auth.models import User
    from django.http import HttpRequest

ANYTHING = re.compile(r".*", re.DOTALL)
NOTHING = re.compile(r"(?!)")
REPORTS = "apps.moderation.services.reports"


# --- reports and reasons -------------------------------------------------------------------------


def with_texts_as_typed() -> Server:
    """Reports and reasons keep each sign: the form of a report and its store look, both are off."""
    return changed(
        ("apps.pages.report.forms.plain_text", str),
        ("apps.moderation.services.reports.plain_text", str),
        ("apps.moderation.services.acts.answers.plain_text", str),
        ("apps.moderation.reasons.plain_line", str),
    )


def with_any_mail_address() -> Server:
    """Whatever is typed is an address."""
    return changed(("django.core.validators.EmailValidator.__call__", lambda *_: None))


@contextlib.contextmanager
def with_heads_of_several_lines() -> Iterator[None]:
    """A header of a mail ends where its text says: Django looks, and Python twice; all are off."""
    with (
        with_headers_of_several_lines(),
        changed(("email.header._embedded_header", NOTHING)),
        mock.patch("email.policy.Policy.verify_generated_headers", False, create=True),  # 3.11.10
    ):
        yield


@contextlib.contextmanager
def with_answers_in_heads() -> Iterator[None]:
    """An answer is the subject of its mail, however many lines it has."""

    def mail_of(report: Report) -> EmailMessage:
        return EmailMessage(f"Answer: {report.answer}", report.answer, to=[report.email])

    with with_heads_of_several_lines(), changed((f"{REPORTS}._mail_of", mail_of)):
        yield


def with_mails_before_an_answer() -> Server:
    """Who is named in a report gets a mail at once."""
    return changed((f"{REPORTS}._answered", Report.objects.all))


def without_quota_of_reports() -> Server:
    """Nobody's reports are counted."""
    return changed((f"{REPORTS}._check_quota", lambda _: None))


def with_one_address_of_all_reports() -> Server:
    """Any private address shows the newest report."""
    found = "apps.pages.report.views.find_report"
    return changed((found, lambda _: Report.objects.latest("created_at")))


def with_reports_by_number() -> Server:
    """A report is found by what the database calls it."""

    def find(token: str) -> Report | None:
        named = ((each, (str(each.pk), each.pk.hex)) for each in Report.objects.all())
        by_hash = Report.objects.filter(status_sha256=token).first()
        return next((each for each, names in named if token in names), by_hash)

    return changed(("apps.pages.report.views.find_report", find))


def with_ready_reasons_of_anybody() -> Server:
    """Any text is a ready reason."""
    anything = mock.MagicMock(**{"__contains__.return_value": True})
    return changed(("apps.moderation.reasons.READY", anything))


def with_endless_reasons() -> Server:
    """A reason is as long as it was sent."""
    return changed(("apps.moderation.reasons.REASON_CHARACTERS_MAX", UNBOUNDED))


def with_nuls_in_addresses() -> Server:
    """What an address names is asked of the database as it is."""
    return changed(("apps.pages.report.views.plain", lambda text, _: text))


def with_pages_of_persons_in_caches() -> Server:
    """Private pages are like others: views, their addresses and cookies say so, all are off."""
    return changed(
        ("apps.pages.report.views.no_store", lambda response: response),
        ("apps.config.middleware.PERSONAL_ROUTE", NOTHING),
        ("apps.config.edge.caching.PRIVATE", "public"),
    )


def with_names_in_the_log() -> Server:
    """The public log says who decided, and all that is kept of it."""

    def lines(found: Iterable[Any]) -> list[Any]:
        return [
            replace(line_of(each), who=each.by.email, reason=str(each.details)) for each in found
        ]

    return changed(("apps.pages.report.views.lines_of", lines))


# --- terms ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def with_files_as_versions() -> Iterator[None]:
    """The end of an address is the file that is shown; without such a file, the terms are."""

    def show(_request: HttpRequest, version: str) -> HttpResponse:
        name = PurePosixPath(version.replace("\0", "")).name
        found = read_document(name) or read_document("terms")
        return HttpResponse(found.html if found else "")

    with routed(r"^terms/(?P<version>.+)/$", show):
        yield


def with_any_language() -> Server:
    """Whatever is named is a language."""
    return changed(("apps.pages.frame.documents.LANGUAGE", ANYTHING))


@contextlib.contextmanager
def with_html_in_documents() -> Iterator[None]:
    """Documents may hold HTML and links that are no addresses."""

    def lax(preset: str, options: dict[str, Any]) -> MarkdownIt:
        parser = MarkdownIt(preset, {**options, "html": True})
        parser.validateLink = lambda url: url != ""  # type: ignore[method-assign]  # else any
        return parser

    render.cache_clear()
    try:
        with changed(("apps.pages.frame.documents.MarkdownIt", lax)):
            yield
    finally:
        render.cache_clear()


def with_versions_of_the_form() -> Server:
    """A form says which version of the terms it agrees to."""

    def accept(user: User, **_: int) -> None:
        accept_terms(user, version=int(context.request.POST["version"]))

    return changed(("apps.pages.legal.views.accept_terms", accept))


def with_a_way_on_after_the_terms() -> Server:
    """The question about the terms leads to where its form says."""
    there = "apps.pages.legal.views.redirect"
    return changed((there, lambda _: HttpResponseRedirect(context.request.POST["next"])))


# --- watches -------------------------------------------------------------------------------------


def with_ends_for_everybody() -> Server:
    """Who ends a watch ends those of others."""
    views = "apps.pages.watches.views"
    return changed(
        (f"{views}.end_watch", lambda _, slug: Watch.objects.filter(plan=slug).delete()),
        (f"{views}.end_all_watches", lambda _: Watch.objects.all().delete()),
    )


def without_signatures_of_links() -> Server:
    """A link is believed, whoever made it, for whatever and whenever."""

    def unsigned(token: str, **_: Any) -> Any:
        value = token.partition(":")[0].encode()
        return signing.JSONSerializer().loads(signing.b64_decode(value))

    return changed(("django.core.signing.loads", unsigned))


def with_links_for_anything() -> Server:
    """A link that unlinks a key stands for its owner."""

    def owner(token: str) -> int | None:
        key = key_to_unlink(token)
        return key.owner_id if key else None

    return changed(("apps.pages.watches.views.user_of_token", owner))


def with_links_of_any_shape() -> Server:
    """What we signed is a person's number, whatever it is."""
    return changed(("apps.watches.mail.isinstance", lambda *_: True))


def with_stops_for_ever() -> Server:
    """A link of a mail does not grow old."""
    return changed(("apps.watches.mail.STOP_DAYS", UNBOUNDED))


def with_mails_to_anywhere() -> Server:
    """An address need not be verified: a watch begins and is told without."""
    return changed(("apps.watches.services.verified_address", lambda user: user.email))


def with_looks_forgotten() -> Server:
    """Each look of the sweeper is the first of its day."""
    return changed(("apps.watches.services._waiting", lambda _: Watch.objects.all()))


@contextlib.contextmanager
def with_a_watch_a_press() -> Iterator[None]:
    """Each press begins a watch: the service looks, and the table; its rule is gone with the test.

    Call it in a transaction that is rolled back.
    """

    def create(*, defaults: dict[str, Any], **keys: Any) -> tuple[Watch, bool]:
        return Watch.objects.create(**keys, **defaults), True

    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE watches_watch DROP CONSTRAINT watch_once_a_plan")
    with mock.patch.object(Watch.objects, "get_or_create", create):
        yield


@contextlib.contextmanager
def with_plans_in_subjects() -> Iterator[None]:
    """The name of a plan is the subject of a mail, however many lines it has."""
    name = ("apps.watches.mail._", lambda _: Plan.objects.get().name)
    with with_heads_of_several_lines(), changed(name):
        yield


def with_plan_names_as_stored() -> Server:
    """A mail holds each sign of a plan's name."""
    return changed(("apps.watches.mail.PlanNews.name", property(lambda self: self.plan.full_name)))


def with_mails_of_markup() -> Server:
    """A mail is a page."""
    return changed(("apps.watches.mail.EmailMessage.content_subtype", "html"))


def with_plans_of_strangers_watched() -> Server:
    """What anybody named is watched."""
    views = "apps.pages.watches.views"
    return changed((f"{views}.watchable", lambda slug: Plan.objects.filter(pk=slug).first()))


def with_slugs_in_sql() -> Server:
    """What somebody names stands in the text of a query."""

    def find(slug: str) -> Plan | None:
        query = f"SELECT * FROM plans_plan WHERE slug = '{slug}'"  # noqa: S608  that is the fault
        return next(iter(Plan.objects.raw(query)), None)

    return changed(("apps.pages.watches.views.watchable", find))


def with_nuls_in_slugs() -> Server:
    """The name of a plan is asked of the database as it is."""
    return changed(("apps.watches.services._SLUG", ANYTHING))


def with_feeds_as_written() -> contextlib.AbstractContextManager[None]:
    """What a feed says is HTML by whoever wrote it."""
    return changed(("apps.pages.report.feed.escape", str))


def with_signs_of_any_shape() -> contextlib.AbstractContextManager[None]:
    """A feed holds whatever signs somebody wrote."""
    return changed(("apps.pages.report.feed.plain_line", str))


def with_envelopes_of_held_names() -> contextlib.AbstractContextManager[None]:
    """Signed bytes are handed out whoever has read what they hold."""
    return changed(("apps.pages.run.selectors.envelope_is_held", lambda _: False))
