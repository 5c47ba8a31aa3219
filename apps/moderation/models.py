"""What people decide about runs, keys and the catalogue, in public, and what readers report."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.accounts.models import REASON_CHARACTERS_MAX, SHA256_CHARACTERS

TEXT_CHARACTERS_MAX = 2000  # of a report: a screenful; evidence is a run, not an essay


class Subject(models.TextChoices):
    """What a decision or a report is about."""

    RUN = "run"
    PLAN = "plan"
    DRIVE = "drive"
    NAME = "name"  # that drives report
    PROVIDER = "provider"
    KEY = "key"
    UPLOADERS = "uploaders"


class Decision(models.Model):
    """One act of a moderator, with its reason. Rows are only added: an undo is a row of its own."""

    class Action(models.TextChoices):
        EXCLUDE = "exclude", "excluded a run"
        RESTORE = "restore", "restored a run"
        RELEASE = "release", "set a rule aside for a run"
        KEEP = "keep", "looked at it and changed nothing"
        DELETE = "delete", "deleted a run"
        REVOKE_KEY = "revoke-key", "revoked a key"
        MERGE = "merge", "judges uploaders as one"
        SPLIT = "split", "judges uploaders apart"
        CORRECT = "correct", "corrected the catalogue"
        GRANT_LAB = "grant-lab", "granted a laboratory's key"
        WITHDRAW_LAB = "withdraw-lab", "withdrew a laboratory's key"
        ANSWER = "answer", "answered a report"
        SHOW = "show", "shows a provider's reply"
        UNDO = "undo", "took a decision back"

    action = models.CharField(max_length=16, choices=Action.choices)
    subject = models.CharField(max_length=16, choices=Subject.choices)
    subject_id = models.CharField(max_length=160)  # slug, run id or key id
    # Public: a ready reason, free text, or both, a line each.
    reason = models.CharField(max_length=REASON_CHARACTERS_MAX)
    at = models.DateTimeField(auto_now_add=True)
    batch = models.UUIDField(default=uuid.uuid4, db_index=True)  # what was decided in one go
    role = models.CharField(max_length=16)  # of who decided: public, unlike who that is
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="decisions"
    )
    undoes = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    details = models.JSONField(default=dict)  # what an undo needs: the values before; not public

    class Meta:
        ordering = ("-at", "-pk")
        indexes = (models.Index(name="decision_of_subject", fields=("subject", "subject_id")),)
        permissions = (
            ("moderate", "Can decide about runs, keys and reports"),
            ("look", "Can look at what waits for a moderator"),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.subject} {self.subject_id}"


class Report(models.Model):
    """A reader says that something is wrong, or a provider replies. No account is needed."""

    class Kind(models.TextChoices):
        REPORT = "report"
        REPLY = "reply"  # of the provider; shown on the page once a moderator has seen who it is

    class State(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.REPORT)
    subject = models.CharField(max_length=16, choices=Subject.choices)
    subject_id = models.CharField(max_length=160)
    text = models.TextField(max_length=TEXT_CHARACTERS_MAX)
    email = models.EmailField(blank=True)  # forgotten once the answer has gone out
    language = models.CharField(max_length=16)  # of the page that it was written on
    status_sha256 = models.CharField(max_length=SHA256_CHARACTERS, unique=True)
    network = models.CharField(max_length=32)  # keyed hash of the sender's /24 or /64
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    answer = models.TextField(max_length=TEXT_CHARACTERS_MAX, blank=True)
    answered_at = models.DateTimeField(null=True)
    is_shown = models.BooleanField(default=False)  # a reply, on the page that it is about

    class Meta:
        indexes = (
            models.Index(name="report_of_network", fields=("network", "created_at")),
            models.Index(name="report_open", fields=("created_at",), condition=Q(state="open")),
            models.Index(name="report_of_subject", fields=("subject", "subject_id")),
            models.Index(
                name="report_owes_a_mail",
                fields=("answered_at",),
                condition=Q(state="answered") & ~Q(email=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} about {self.subject} {self.subject_id}"


class BinnedRun(models.Model):
    """The bytes of a run that a moderator deleted, for as long as that can be undone."""

    run_id = models.UUIDField(primary_key=True)
    rows = models.TextField()  # of Upload or ImportedFile, as Django's JSON serializer writes them
    binned_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"bin of {self.run_id}"
