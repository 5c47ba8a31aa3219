"""Registers the app of the web pages."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """The web pages."""

    name = "apps.pages"
    label = "pages"
