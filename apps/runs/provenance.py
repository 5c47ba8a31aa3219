"""What speaks for or against where runs were made and whose they are, beside the runs."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.accounts.models import AgentKey


class CloudProof(models.Model):
    """A document in which a provider signed where a run was made.

    It holds account and address, so its text is kept only until a worker has checked it. What
    stays says what was signed, and outlives the run's rows, which may be made again.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        HOLDS = "holds"
        REFUSED = "refused"

    run_id = models.UUIDField(primary_key=True)
    sent_sha256 = models.CharField(max_length=64)  # of the signed statement that brought it
    provider = models.CharField(max_length=64)  # slug
    received_at = models.DateTimeField()
    document = models.TextField(blank=True)  # blank once it was checked
    signature = models.TextField(blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    refusal = models.CharField(max_length=32, blank=True)  # apps.runs.clouds.documents.Refused
    instance_type = models.CharField(max_length=64, blank=True)  # blank: nobody signed it
    zone = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="cloud_proof_is_thrown_away",
                condition=Q(state="waiting") | Q(document="", signature=""),
            ),
            models.CheckConstraint(
                name="cloud_proof_refused_says_why",
                condition=Q(state="refused", refusal__gt="")
                | (~Q(state="refused") & Q(refusal="")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.provider}'s word on {self.run_id}"


class CloudInstance(models.Model):
    """A machine of a cloud that vouched for runs: only for those of one key."""

    instance = models.CharField(max_length=64, primary_key=True)  # keyed hash of its id
    key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, related_name="cloud_instances")

    def __str__(self) -> str:
        return f"instance of {self.key_id[:6]}"


class UploaderCluster(models.Model):
    """Uploaders who may be one person, found at night.

    They are judged as one until a person splits them, but where somebody could have brought that
    about for others; see apps.runs.clusters.services.
    """

    class Rule(models.TextChoices):
        ALIKE = "alike", "commits that are too much alike"
        MACHINE = "machine", "one machine under several names"
        BORN = "born-together", "keys that began together"
        HOSTER = "one-hoster", "networks of one hoster that is not the plan's"
        BY_HAND = "by-hand", "merged by a person, and split again"

    class State(models.TextChoices):
        WAITING = "waiting"  # for a person to look at it
        KEPT = "kept"  # a person agrees
        SPLIT = "split"  # a person does not: never merged again by a rule

    rule = models.CharField(max_length=16, choices=Rule.choices)
    uploaders = ArrayField(models.CharField(max_length=64))  # sorted, as in Run.uploader
    evidence = models.JSONField()  # runs, keys and figures; see apps.runs.clusters
    found_at = models.DateTimeField()
    is_merged = models.BooleanField(default=False)  # those of it that could be are judged as one
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="cluster_once_a_rule", fields=("rule", "uploaders")),
        )
        indexes = (
            models.Index(
                name="cluster_waiting", fields=("found_at",), condition=Q(state="waiting")
            ),
        )

    def __str__(self) -> str:
        return f"{len(self.uploaders)} uploaders: {self.rule}"
