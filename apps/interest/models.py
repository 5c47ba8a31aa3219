"""How often something was looked for on a day. No row says by whom, or at which hour."""

from django.db import models
from django.db.models import Q

from apps.interest.kinds import KINDS, SLUG_CHARACTERS_MAX


class DailyInterest(models.Model):
    """How many networks looked for one thing on a day, by the hour in which each was counted."""

    day = models.DateField()
    kind = models.CharField(max_length=8)
    slug = models.CharField(max_length=SLUG_CHARACTERS_MAX)  # of a plan, a drive or a provider
    n = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "daily interest"
        constraints = (
            models.UniqueConstraint(name="interest_once_a_day", fields=("day", "kind", "slug")),
            models.CheckConstraint(name="interest_kind_is_known", condition=Q(kind__in=KINDS)),
        )
        indexes = (models.Index(name="interest_of_a_thing", fields=("kind", "slug")),)

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.slug}: {self.n}"
