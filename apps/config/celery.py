"""The Celery application: doorbells that make a waiting row be worked on at once."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

app = Celery("fsyncmark")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
