"""Texts of allauth that our pages show: their English is allauth's, their Chinese is ours.

allauth's own Chinese says 您, and "Email" in Latin letters. A text that stands here is in our
catalogue, which Django asks first.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

THEIRS: Final = (
    # labels
    gettext_noop("Email"),
    gettext_noop("Email address"),
    gettext_noop("Current Password"),
    gettext_noop("New Password"),
    gettext_noop("New Password (again)"),
    gettext_noop("Forgot your password?"),
    gettext_noop("Code"),
    gettext_noop("Authenticator code"),
    gettext_noop("Passwordless"),
    gettext_noop(
        "Enabling passwordless operation allows you to sign in using just this key, but imposes "
        "additional requirements such as biometrics or PIN protection."
    ),
    gettext_noop("Master key"),
    gettext_noop("Backup key"),
    gettext_noop("Key nr. {number}"),
    gettext_noop("Use your password"),
    gettext_noop("Use authenticator app or code"),
    gettext_noop("Use a security key"),
    # what is wrong
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("A user is already registered with this email address."),
    gettext_noop("Please type your current password."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("Incorrect code."),
    gettext_noop("Incorrect password."),
    gettext_noop("Invalid login."),
    gettext_noop("Invalid token."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop("You cannot deactivate two-factor authentication."),
    gettext_noop(
        "You cannot generate recovery codes without having two-factor authentication enabled."
    ),
    gettext_noop(
        "An account already exists with this email address. Please sign in to that account first, "
        "then connect your %s account."
    ),
    gettext_noop("Your account has no password set up."),
    gettext_noop("Your account has no verified email address."),
    gettext_noop("You cannot disconnect your last remaining third-party account."),
    gettext_noop("The third-party account is already connected to a different account."),
    # what was done
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop(
        "Unable to confirm %(email)s because it is already confirmed by a different account."
    ),
    gettext_noop("You have signed out."),
    gettext_noop("Password successfully changed."),
    gettext_noop("Password successfully set."),
    gettext_noop("Authenticator app activated."),
    gettext_noop("Authenticator app deactivated."),
    gettext_noop("A new set of recovery codes has been generated."),
    gettext_noop("Signed out of all other sessions."),
    gettext_noop("The third-party account has been connected."),
    gettext_noop("The third-party account has been disconnected."),
)
