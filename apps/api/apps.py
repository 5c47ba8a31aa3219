"""Registers the app: the public JSON API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The app of the public JSON API."""

    name = "apps.api"
    label = "api"
