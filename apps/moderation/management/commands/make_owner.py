"""`manage.py make_owner EMAIL`: gives somebody with an account every right of staff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.people import has_second_factor
from apps.moderation.roles import OWNER

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """The one way to a first owner: whoever may run commands here owns the site anyway."""

    help = "Make the person with this verified address an owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = EmailAddress.objects.filter(email__iexact=options["email"], verified=True)
        address = found.select_related("user").first()
        if address is None:
            raise CommandError(
                f"No account has the verified address {options['email']}: "
                "sign up at /account/signup/."
            )
        user = address.user
        user.is_staff = True
        user.save(update_fields=["is_staff"])
        user.groups.add(Group.objects.get(name=OWNER))
        self.stdout.write(f"{address.email} is an owner: /staff/, /desk/.")
        if not has_second_factor(user):
            self.stdout.write("Neither opens before a second factor is set up: /account/factors/.")
