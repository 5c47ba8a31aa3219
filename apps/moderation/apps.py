"""Registers the app: decisions of moderators, reports of readers."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """The app of decisions and reports."""

    name = "apps.moderation"
    label = "moderation"
