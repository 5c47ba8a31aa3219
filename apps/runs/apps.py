"""Registers the app: uploads, runs and measurements."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """The app of uploads, runs and measurements."""

    name = "apps.runs"
    label = "runs"
