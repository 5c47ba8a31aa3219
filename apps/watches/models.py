"""Who watches which plan, and what they were last told of it."""

from django.conf import settings
from django.db import models

from apps.plans.models import Plan

LANGUAGE_CHARACTERS = 16


class Watch(models.Model):
    """A person wants a mail when a plan changes."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="watches"
    )
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="watches")
    language = models.CharField(max_length=LANGUAGE_CHARACTERS)  # of the page that it began on
    told = models.JSONField()  # the state that the person knows; see `states.py`
    looked_on = models.DateField()  # the day of the last comparison: one a day
    began_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "watches"
        constraints = (
            models.UniqueConstraint(name="watch_once_a_plan", fields=("user", "plan")),
        )
        indexes = (models.Index(name="watch_by_day", fields=("looked_on", "user")),)

    def __str__(self) -> str:
        return f"{self.user_id} watches {self.plan_id}"
