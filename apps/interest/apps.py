"""Registers the app: daily totals of what is looked for."""

from django.apps import AppConfig


class InterestConfig(AppConfig):
    """The app of daily totals of what is looked for."""

    name = "apps.interest"
    label = "interest"
