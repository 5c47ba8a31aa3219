"""Registers the app: plans that people watch."""

from django.apps import AppConfig


class WatchesConfig(AppConfig):
    """The app of watched plans."""

    name = "apps.watches"
    label = "watches"
