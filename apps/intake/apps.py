"""Registers the app: the upload door and the work loop."""

from django.apps import AppConfig


class IntakeConfig(AppConfig):
    """The app of the upload door and the work loop."""

    name = "apps.intake"
    label = "intake"
