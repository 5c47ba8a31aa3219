"""Registers the app: uploads, runs and measurements."""

from importlib import import_module

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """The app of uploads, runs and measurements."""

    name = "apps.runs"
    label = "runs"

    def ready(self) -> None:
        """Listen to what happens to keys."""
        import_module("apps.runs.rulings")
