"""Registers the app: drive families and the fsync ladder."""

from django.apps import AppConfig


class DrivesConfig(AppConfig):
    """The app of drive families and the fsync ladder."""

    name = "apps.drives"
    label = "drives"
