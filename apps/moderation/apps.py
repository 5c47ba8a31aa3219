"""Registers the app: decisions of moderators, reports of readers, and the roles of staff."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ModerationConfig(AppConfig):
    """The app of decisions and reports."""

    name = "apps.moderation"
    label = "moderation"

    def ready(self) -> None:
        from apps.moderation.roles import make_roles  # noqa: PLC0415  it needs the apps that are being loaded

        post_migrate.connect(make_roles, dispatch_uid="make-roles")
