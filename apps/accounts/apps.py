"""Registers the app: people and the keys of their agents."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app of people and the keys of their agents."""

    name = "apps.accounts"
    label = "accounts"
