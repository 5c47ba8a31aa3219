"""Registers the app: SVG badges."""

from django.apps import AppConfig


class BadgesConfig(AppConfig):
    """The app of SVG badges."""

    name = "apps.badges"
    label = "badges"
