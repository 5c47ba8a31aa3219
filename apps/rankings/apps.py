"""Registers the app: computed standings."""

from django.apps import AppConfig


class RankingsConfig(AppConfig):
    """The app of computed standings."""

    name = "apps.rankings"
    label = "rankings"
