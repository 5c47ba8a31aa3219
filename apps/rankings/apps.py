"""Registers the app: computed standings."""

from importlib import import_module

from django.apps import AppConfig


class RankingsConfig(AppConfig):
    """The app of computed standings."""

    name = "apps.rankings"
    label = "rankings"

    def ready(self) -> None:
        """Listen to what happens to runs."""
        import_module("apps.rankings.services")
