"""Challenges, which tie a run to a time, and the readings that a rate limit counts."""

from django.db import models

from apps.accounts.models import AgentKey


class Challenge(models.Model):
    """A single-use challenge to one key for one run; the upload of the run redeems it."""

    id = models.CharField(max_length=72, primary_key=True)
    key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, related_name="challenges")
    run_id = models.UUIDField()
    seed = models.BinaryField(max_length=32)
    suite = models.CharField(max_length=64)
    suite_version = models.PositiveSmallIntegerField()
    network = models.CharField(max_length=32)  # keyed hash of the asker's /24 or /64
    issued_at = models.DateTimeField()
    not_after = models.DateTimeField()
    redeemed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="challenge_once_a_key_and_run", fields=("key", "run_id")),
        )
        indexes = (
            models.Index(name="challenge_of_network", fields=("network", "issued_at")),
            models.Index(name="challenge_of_key", fields=("key", "issued_at")),
        )

    def __str__(self) -> str:
        return self.id


class OutputReading(models.Model):
    """One reading of an output for a network, understood or not; counted for an hour."""

    network = models.CharField(max_length=32)  # keyed hash of the sender's /24 or /48
    read_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "outputs read"
        indexes = (
            models.Index(name="reading_of_network", fields=("network", "read_at")),
            models.Index(name="reading_by_time", fields=("read_at",)),
        )

    def __str__(self) -> str:
        return f"output read at {self.read_at}"
