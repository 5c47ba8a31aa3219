"""Registers the app: providers, plans and prices."""

from django.apps import AppConfig


class PlansConfig(AppConfig):
    """The app of providers, plans and prices."""

    name = "apps.plans"
    label = "plans"
