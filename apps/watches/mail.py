"""The mail about watched plans, and the link in it that ends it without a sign-in.

Plain text. Names come from the catalogue, and of them only what is printed reaches a mail; no name
stands in a header.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from apps.plans.models import Plan
from apps.watches.states import PlanState, changes

if TYPE_CHECKING:
    from django.contrib.auth.models import User

_SALT: Final = "fsyncmark.watches.stop"
STOP_DAYS: Final = 90  # in which the link of a mail works


@dataclass(frozen=True, slots=True)
class PlanNews:
    """A plan of which a watcher knows less than there is."""

    plan: Plan
    before: PlanState
    after: PlanState

    @property
    def name(self) -> str:
        """Its name on one line, without signs that move the cursor or turn the writing."""
        words = " ".join(self.plan.full_name.split())
        return "".join(each for each in words if each.isprintable())

    @property
    def lines(self) -> list[str]:
        """What changed, in the language in force."""
        return changes(self.before, self.after)

    @property
    def url(self) -> str:
        """Its page in the language in force."""
        return settings.SITE_URL + reverse("pages:plan", args=[self.plan.pk])


def send_news(user: User, address: str, news: list[PlanNews], *, language: str) -> None:
    """Send one mail about all of it. Raises SMTPException or OSError."""
    with translation.override(language):
        stop_url = settings.SITE_URL + reverse("pages:watches-stop", args=[stop_token(user.pk)])
        context = {
            "news": news,
            "stop_url": stop_url,
            "watches_url": settings.SITE_URL + reverse("pages:watches"),
            "site": settings.SITE_URL,
        }
        body = render_to_string("watches/news.txt", context).strip() + "\n"
        subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("plans that you watch changed")
    EmailMessage(
        subject,
        body,
        None,
        [address],
        headers={
            "List-Unsubscribe": f"<{stop_url}>",  # RFC 2369
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
            "List-Id": f"<watches.{urlsplit(settings.SITE_URL).hostname}>",
            "Auto-Submitted": "auto-generated",  # RFC 3834: no answering machine replies
        },
    ).send()


def stop_token(user_id: int) -> str:
    """Return what lets who has the mail end its watches."""
    return signing.dumps(user_id, salt=_SALT)


def user_of_token(token: str) -> int | None:
    """Return whose watches a token ends; None: it is no token of ours, or too old."""
    try:
        user_id = signing.loads(token, salt=_SALT, max_age=STOP_DAYS * 86_400)
    except signing.BadSignature:
        return None
    return user_id if isinstance(user_id, int) else None
