"""Registers the app: what people see."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """The app of what people see."""

    name = "apps.pages"
    label = "pages"
