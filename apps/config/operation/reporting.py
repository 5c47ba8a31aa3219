"""Reports errors to Sentry, or what speaks its protocol, where SENTRY_DSN says where that is.

A report has the exception, its lines of code, the path and the role of the process: nothing of who
asked, of what they sent, or of what variables held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

KEPT_OF_REQUESTS: Final = ("method", "url")


def report_errors(dsn: str) -> None:
    """Begin to report what this process logs as an error or does not catch."""
    try:
        import sentry_sdk  # noqa: PLC0415  only who reports has it
    except ImportError as error:
        advice = "SENTRY_DSN needs: pip install --require-hashes -r requirements/observe.txt"
        raise ImproperlyConfigured(advice) from error
    sentry_sdk.init(
        dsn,
        environment=settings.SITE_URL,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=without_people,
    )
    sentry_sdk.set_tag("role", settings.ROLE.value)


def without_people(event: Event, _hint: Hint) -> Event:
    """Take away who asked and what they sent; an address is kept without its question."""
    event.pop("user", None)
    event.pop("extra", None)  # of log lines, whose requests have their question
    request = event.get("request")
    if request:
        event["request"] = {
            name: str(request[name]).partition("?")[0]
            for name in KEPT_OF_REQUESTS
            if name in request
        }
    return event
