"""The mails to people: plain text, one purpose each, in the language of the page behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop


class Words(NamedTuple):
    """A subject, and the sentence that a mail is about."""

    subject: str
    text: str


CODE: Final = gettext_noop("Enter this code in the window that asked for it:")
# What was done to an account; each mail names the network address and the browser that did it.
NOTICES: Final = {
    "account/email/password_changed": Words(
        gettext_noop("Your password was changed"), gettext_noop("Your password was changed.")
    ),
    "account/email/password_reset": Words(
        gettext_noop("Your password was reset"),
        gettext_noop("Your password was reset by a code that was sent to this address."),
    ),
    "account/email/password_set": Words(
        gettext_noop("A password was set"), gettext_noop("Your account has a password now.")
    ),
    "account/email/email_changed": Words(
        gettext_noop("Your address was changed"),
        gettext_noop(
            "Your account has the address %(to_email)s now, and no longer %(from_email)s."
        ),
    ),
    "mfa/email/totp_activated": Words(
        gettext_noop("A second factor was added"),
        gettext_noop("Your account asks for a code of an authenticator app now."),
    ),
    "mfa/email/totp_deactivated": Words(
        gettext_noop("A second factor was removed"),
        gettext_noop("Your account asks for no code of an authenticator app any more."),
    ),
    "mfa/email/webauthn_added": Words(
        gettext_noop("A passkey was added"), gettext_noop("Your account has a new passkey.")
    ),
    "mfa/email/webauthn_removed": Words(
        gettext_noop("A passkey was removed"),
        gettext_noop("A passkey was removed from your account."),
    ),
    "mfa/email/recovery_codes_generated": Words(
        gettext_noop("New recovery codes"),
        gettext_noop("Your account has new recovery codes; the old ones are void."),
    ),
    "socialaccount/email/account_connected": Words(
        gettext_noop("A sign-in was connected"),
        gettext_noop("%(provider)s signs in to your account now."),
    ),
    "socialaccount/email/account_disconnected": Words(
        gettext_noop("A sign-in was disconnected"),
        gettext_noop("%(provider)s no longer signs in to your account."),
    ),
}
# What somebody asked for, who may be anybody: each mail says what to do if it was not its reader.
ANSWERS: Final = {
    "account/email/email_confirmation_signup": Words(gettext_noop("Your code to sign up"), CODE),
    "account/email/email_confirmation": Words(gettext_noop("Your code for this address"), CODE),
    "account/email/password_reset_code": Words(gettext_noop("Your code for a new password"), CODE),
    "account/email/account_already_exists": Words(
        gettext_noop("You have an account already"),
        gettext_noop(
            "Somebody signed up with this address, which has an account. "
            "Sign in, or ask for a new password:"
        ),
    ),
    "account/email/unknown_account": Words(
        gettext_noop("There is no account with this address"),
        gettext_noop("Somebody asked for a new password here. You can sign up:"),
    ),
    "email_change": Words(
        gettext_noop("Confirm your new address"),
        gettext_noop(
            "Your account is to have the address %(new)s instead of this one. "
            "Confirm it, or stop it:"
        ),
    ),
}
FAREWELL: Final = {
    "deleted": Words(
        gettext_noop("Your account was deleted"),
        gettext_noop("Your account was deleted, as you asked."),
    ),
}


def render_mail(name: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return subject and body of a mail. KeyError for one that nobody has put into words."""
    words = {**NOTICES, **ANSWERS, **FAREWELL}[name]
    shown = {
        "text": gettext(words.text) % context,
        "value": context.get("code") or address_in(name, context),
        "is_notice": name in NOTICES,
        "is_question": name in ANSWERS,
        "site": settings.SITE_URL,
        "request": context.get("request"),
        **{key: context.get(key) for key in ("ip", "user_agent", "timestamp")},
    }
    return gettext(words.subject), render_to_string("pages/account/mail.txt", shown).strip() + "\n"


def address_in(name: str, context: Mapping[str, Any]) -> str:
    """Return the address that a mail leads to; empty for one that leads nowhere."""
    match name:
        case "account/email/account_already_exists":
            return settings.SITE_URL + reverse("account_reset_password")
        case "account/email/unknown_account":
            return settings.SITE_URL + reverse("account_signup")
        case "email_change":
            return settings.SITE_URL + reverse("pages:email-change", args=[context["token"]])
    return ""
