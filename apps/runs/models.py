"""Stored facts: uploads as they were sent, and the runs and measurements derived from them.

`Upload` holds the original bytes and never changes, except for its place in the work queue. `Run`
and the rows that refer to it can be dropped and made again by `manage.py rebuild`.
"""

import secrets
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.functions import Coalesce

from apps.accounts.models import AgentKey
from apps.drives.models import DriveFamily, DriveName, LadderClass
from apps.plans.models import Plan, Provider
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.runs.lists.days import NOT_DATED, UtcDate
from apps.runs.lists.tallies import RunTally
from apps.runs.packed.fields import HistogramField, PackedJsonField
from apps.runs.packed.packing import inflated
from apps.runs.provenance import CloudInstance, CloudProof, UploaderCluster
from apps.stats.histogram import Histogram
from apps.wire.dsse import RUN_PAYLOAD_TYPE, Envelope, Signature, written

__all__ = (  # of another module, and tables of this app all the same
    "CloudInstance",
    "CloudProof",
    "RunTally",
    "UploaderCluster",
)

LOCATOR_CHARACTERS_MAX = 59  # what one searches for is a figure with its label, no sentence
# Of short addresses: without vowels, which make words, and without what looks alike.
SHORT_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
SHORT_CHARACTERS = 8  # 38 bits: no two uploads of a million meet but one time in six
ATTEMPTS_MAX = 5  # after this many failed attempts an upload is poison and waits for staff


class Level(models.TextChoices):
    """How much can be defended about a result; see the method page."""

    PUBLISHED = "published", "Published"
    IMPORTED = "imported", "Imported"
    SIGNED = "signed", "Signed"
    WITNESSED = "witnessed", "Witnessed"
    PLACED = "placed", "Placed"
    LAB = "lab", "Lab"


# In place of the level of a made-up run: nobody measured it, so nothing shows its upload's level.
EXAMPLE = "example"
NOT_EXAMPLE = Q(is_example=False)
_NEWEST = ("-listed_at", "-id")
AGREED = {"consent": {"publish_envelope": True}}  # in few environments: to show the signed bytes
MAY_PUBLISH = Q(is_listed=True, upload__isnull=False, environment__contains=AGREED)
SHOWN_LEVEL = Case(
    When(is_example=True, then=Value(EXAMPLE)), default=F("level"), output_field=CharField()
)
# No ruling keeps them out of lists. The page of a run that one does says so.
LISTED = Q(is_listed=True)
SHOWN_LEVELS = (*Level.values, EXAMPLE)  # that a list can be narrowed to


class ChallengeUse(models.TextChoices):
    """The state of the challenge that an upload named, when the upload arrived."""

    NONE = "none", "no challenge: measured offline"
    REDEEMED = "redeemed", "challenge redeemed in time"
    EXPIRED = "expired", "challenge redeemed too late"
    UNKNOWN = "unknown", "challenge not known here"


class Outcome(models.TextChoices):
    """The result of all rules for a run: the worst of its labels, or `pass` without any."""

    PASS = "pass", "nothing found"
    LABEL = "label", "labelled: the figures are believed, and this has to be known beside them"
    QUARANTINE = "quarantine", "in quarantine: the figures cannot be what they say"


class KeepsOut(models.TextChoices):
    """The part of a run that a label keeps out of standings; the run keeps its page in any case."""

    NOTHING = "nothing", "nothing"
    WEIGHT = "weight", "half of its weight"
    READS = "reads", "its reads"
    DISTURBED = "disturbed", "what others disturbed"
    PLAN = "plan", "its plan"
    RUN = "run", "the whole run"


class TranscriptionConfidence(models.TextChoices):
    """How many steps of reading lie between a source and what was transcribed from it."""

    HIGH = "high"  # the hardware is named in the same text as the figure
    MEDIUM = "medium"  # one step: a conversion, a caption, a set-up described elsewhere


class FlushVerdict(models.TextChoices):
    """What a run shows about flushes between a commit and the medium; apps.runs.flush_verdict."""

    PROTECTED = "protected", "protected cache"
    VOLATILE = "volatile", "honest volatile cache"
    SUSPICIOUS = "suspicious", "suspicious"
    UNKNOWN = "unknown", "unknown"


def new_short_code() -> str:
    """Return a random name for the short address of a run."""
    return "".join(secrets.choice(SHORT_ALPHABET) for _ in range(SHORT_CHARACTERS))


class Upload(models.Model):
    """The bytes of one accepted upload, and its place in the work queue."""

    class State(models.TextChoices):
        RECEIVED = "received"
        LEASED = "leased"
        RETRY = "retry"
        DONE = "done"
        POISON = "poison"

    run_id = models.UUIDField(primary_key=True)
    key = models.ForeignKey(AgentKey, on_delete=models.PROTECT, related_name="uploads")
    packed_payload = models.BinaryField()  # by apps.runs.packed.packing.deflated
    signature = models.BinaryField(max_length=64, null=True)  # by `key`
    # Null: `written` makes the same bytes of payload, key and signature.
    envelope_as_sent = models.BinaryField(null=True)
    payload_sha256 = models.BinaryField(max_length=32)
    received_at = models.DateTimeField(db_index=True)
    challenge_id = models.CharField(max_length=72, null=True, unique=True)
    challenge_use = models.CharField(max_length=16, default=ChallengeUse.NONE)
    challenge_issued_at = models.DateTimeField(null=True)
    challenge_seed = models.BinaryField(max_length=32, null=True)
    network = models.CharField(max_length=32)  # keyed hash of the sender's /24 or /48
    # Slug of the provider in whose network the sender's address lies; blank: not known.
    network_provider = models.CharField(max_length=64, blank=True)
    is_example = models.BooleanField(default=False)  # made up by `load_example_data`
    # Challenges of this key in the month before this upload, and how many of them ended without a
    # run. Null: the upload is older than this count.
    challenges_issued = models.PositiveIntegerField(null=True)
    challenges_abandoned = models.PositiveIntegerField(null=True)
    short_code = models.CharField(
        max_length=SHORT_CHARACTERS, unique=True, default=new_short_code
    )  # of its short address
    # When its key last said whether it is withdrawn, by the agent's clock: a replay is not newer.
    stated_at_unix_ns = models.BigIntegerField(default=0)

    state = models.CharField(max_length=16, default=State.RECEIVED)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()
    lease_token = models.UUIDField(null=True)
    last_error = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="upload_state_known",
                condition=Q(state__in=("received", "leased", "retry", "done", "poison")),
            ),
            models.CheckConstraint(
                name="upload_leased_has_token",
                condition=~Q(state="leased") | Q(lease_token__isnull=False),
            ),
            models.CheckConstraint(
                name="upload_has_signature",
                condition=Q(signature__isnull=False) | Q(envelope_as_sent__isnull=False),
            ),
            models.CheckConstraint(
                name="upload_redeemed_names_challenge",
                condition=Q(challenge_use__in=("none", "unknown")) | Q(challenge_id__isnull=False),
            ),
        )
        indexes = (
            models.Index(
                name="upload_waiting",
                fields=("next_attempt_at",),
                condition=Q(state__in=("received", "leased", "retry")),
            ),
            models.Index(
                name="upload_poison", fields=("received_at",), condition=Q(state="poison")
            ),
        )

    def __str__(self) -> str:
        return f"upload {self.run_id} ({self.state})"

    @property
    def payload(self) -> bytes:
        """The signed bytes. Raises zlib.error where they are damaged."""
        return inflated(bytes(self.packed_payload))

    @property
    def envelope(self) -> bytes:
        """The envelope of the signed bytes, the same to the byte each time."""
        if self.signature is None:
            return bytes(self.envelope_as_sent or b"")
        signature = Signature(keyid=self.key_id, sig=bytes(self.signature))
        envelope = Envelope(RUN_PAYLOAD_TYPE, self.payload, (signature,))
        return written(envelope, signatures=envelope.signatures)

    @property
    def public_state(self) -> str:
        """The state as the API shows it, where a failed attempt is still `processing`."""
        return {
            Upload.State.RECEIVED: "received",
            Upload.State.LEASED: "processing",
            Upload.State.RETRY: "processing",
            Upload.State.DONE: "done",
            Upload.State.POISON: "poison",
        }[Upload.State(self.state)]


class ImportedFile(models.Model):
    """The output of a benchmark as it was sent, and what was understood of it.

    The bytes never change; `document` is made from them again when the readers change.
    """

    run_id = models.UUIDField(primary_key=True)
    content = models.BinaryField()
    content_sha256 = models.BinaryField(max_length=32, unique=True)
    received_at = models.DateTimeField()
    network = models.CharField(max_length=32)  # keyed hash of the sender's /24 or /48
    # jobs with figures, each with its line; see apps.intake.importers
    document = models.JSONField()
    claimed_provider = models.CharField(max_length=96, blank=True)
    claimed_plan = models.CharField(max_length=96, blank=True)
    claimed_drive = models.CharField(max_length=96, blank=True)

    # Others sent the same bytes and said something else: nothing is said of the machine any more.
    claim_in_dispute = models.BooleanField(default=False)
    # A person has read the names that the catalogue lacks; until then pages do not repeat them.
    names_seen = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(name="imported_of_network", fields=("network", "received_at")),)

    def __str__(self) -> str:
        return f"imported file {self.run_id}"


class Run(models.Model):
    """One result: normalised from an upload, transcribed from a publication, or imported."""

    id = models.UUIDField(primary_key=True)
    slug = models.CharField(max_length=80, unique=True)
    upload = models.OneToOneField(Upload, null=True, on_delete=models.CASCADE, related_name="run")
    imported_file = models.OneToOneField(
        ImportedFile, null=True, on_delete=models.CASCADE, related_name="run"
    )
    level = models.CharField(max_length=16)
    measured_at = models.DateTimeField(null=True)  # by the server's clock; null: not stated
    suite = models.CharField(max_length=64, blank=True)
    suite_version = models.PositiveSmallIntegerField(null=True)
    suite_complete = models.BooleanField(default=True)
    agent_version = models.CharField(max_length=32, blank=True)

    provider = models.ForeignKey(Provider, null=True, on_delete=models.PROTECT, db_index=False)
    plan = models.ForeignKey(
        Plan, null=True, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    claimed_provider = models.CharField(max_length=96, blank=True)
    claimed_plan = models.CharField(max_length=96, blank=True)
    claimed_region = models.CharField(max_length=96, blank=True)
    region = models.CharField(max_length=96, blank=True)  # by the cloud's metadata, else claimed
    seen_provider = models.CharField(max_length=64, blank=True)  # slug, by the firmware
    seen_instance_type = models.CharField(max_length=32, blank=True)  # by the firmware
    plan_basis = models.CharField(max_length=16, blank=True)  # see apps.plans.placement.Basis
    # Figures of the rules `placement-conflict` and `network-elsewhere`.
    placement_conflicts = models.JSONField(default=list)

    drive_family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    drive_reported = models.CharField(max_length=140, blank=True)  # "vendor model" as sent
    drive_firmware = models.CharField(max_length=64, blank=True)
    is_single_drive = models.BooleanField(default=True)  # drive standings count only these
    expected_class = models.ForeignKey(
        LadderClass, null=True, on_delete=models.PROTECT, related_name="runs_expected"
    )  # from the device
    measured_class = models.ForeignKey(
        LadderClass, null=True, on_delete=models.PROTECT, related_name="runs_measured"
    )  # from the commit p50

    machine = models.CharField(max_length=32, blank=True)  # pseudonym: never on pages or in dumps
    # Account or network cluster; never on pages or in dumps.
    uploader = models.CharField(max_length=64, blank=True)
    filesystem = models.CharField(max_length=64, blank=True)
    kernel = models.CharField(max_length=128, blank=True)
    cpu_model = models.CharField(max_length=128, blank=True)
    environment = models.JSONField(default=dict)  # the KeptParts of the payload
    outcome = models.CharField(max_length=16, default=Outcome.PASS)  # the worst of its labels
    in_standings = models.BooleanField(default=False)  # witnessed and no label keeps it out
    # By a label whatever its level, or a published one by its record: then nothing of it counts.
    is_kept_out = models.BooleanField(default=False)
    # False: its owner or a moderator keeps it out of lists; its page stays.
    is_listed = models.BooleanField(default=True)
    # Received while its key was that of a person who was known long enough. Never set later.
    is_claimed = models.BooleanField(default=False)
    plan_in_doubt = models.BooleanField(default=False)  # a label keeps it out of its plan's alone
    flush_verdict = models.CharField(max_length=16, blank=True)  # blank: no commit, no flush
    flush_reasons = models.JSONField(default=list)  # figures; see apps.runs.flush_verdict
    # Digest of the headline's commits to the nanosecond: two honest runs never have the same.
    figures_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    # NORMALISER_VERSION of apps.runs.services when the run was made; blank: not from an upload.
    normaliser_version = models.CharField(max_length=16, blank=True)
    is_example = models.BooleanField(default=False)  # made up, to look at pages

    # Has a durable commit of one writer. If not set with the run, a trigger does.
    has_commit = models.BooleanField(default=False)
    # For lists, newest first: runs without a day come last.
    listed_at = models.GeneratedField(
        expression=Coalesce("measured_at", NOT_DATED),
        output_field=models.DateTimeField(),
        db_persist=True,
    )
    listed_day = models.GeneratedField(
        expression=UtcDate("measured_at"),
        output_field=models.DateField(null=True),
        db_persist=True,
    )
    thing = models.GeneratedField(  # what it is a run of, in lists; null: of nothing that is known
        expression=Coalesce("plan", "drive_family"),
        output_field=models.CharField(max_length=SLUG_CHARACTERS_MAX, null=True),
        db_persist=True,
    )

    class Meta:
        ordering = ("-measured_at", "-id")
        indexes = (
            models.Index(name="run_newest", fields=_NEWEST, condition=Q(is_listed=True)),
            models.Index(
                name="run_newest_commits",
                fields=_NEWEST,
                condition=Q(is_listed=True, has_commit=True),
            ),
            models.Index(name="run_newest_envelopes", fields=_NEWEST, condition=MAY_PUBLISH),
            models.Index(name="run_newest_examples", fields=_NEWEST, condition=Q(is_example=True)),
            # which runs of a day are alike, and lists of one thing
            models.Index(name="run_alike", fields=("thing", "level", "listed_day", "-listed_at")),
            models.Index(name="run_of_plan", fields=("plan", "-listed_at", "-id")),
            models.Index(name="run_of_drive", fields=("drive_family", "-listed_at", "-id")),
            models.Index(name="run_of_provider", fields=("provider", "-listed_at", "-id")),
            models.Index(name="run_of_level", fields=("level", "-listed_at", "-id")),
            models.Index(name="run_of_machine", fields=("machine", "uploader")),
        )

    def __str__(self) -> str:
        return self.slug

    @property
    def shown_level(self) -> str:
        """The level that may be shown; `SHOWN_LEVEL` is its expression for the database."""
        return EXAMPLE if self.is_example else self.level


class RunDrive(models.Model):
    """One drive of the storage that a run was measured on: its name, and the family of the name."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="drives", db_index=False)
    place = models.PositiveSmallIntegerField()  # among the members, as sent
    name = models.ForeignKey(
        DriveName, null=True, on_delete=models.PROTECT, related_name="run_drives"
    )  # null: it has none
    # The family of the name when the run was made. If the name has another now, the run is stale.
    named_family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.PROTECT, related_name="+"
    )
    # `named_family`, but null for a virtual device with the name of a physical drive.
    family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.PROTECT, related_name="run_drives"
    )
    firmware = models.CharField(max_length=64, blank=True)
    medium = models.CharField(max_length=16, blank=True)  # apps.drives.media, by the device's word

    class Meta:
        ordering = ("run", "place")
        constraints = (
            models.UniqueConstraint(name="run_drive_place_once", fields=("run", "place")),
        )

    def __str__(self) -> str:
        return f"member {self.place} of {self.run_id}"


class Citation(models.Model):
    """Where a published or imported run comes from, and what its reader must know."""

    run = models.OneToOneField(Run, primary_key=True, on_delete=models.CASCADE)
    title = models.CharField(max_length=300)
    url = models.URLField(blank=True)
    author = models.CharField(max_length=120, blank=True)
    machine_label = models.CharField(max_length=200, blank=True)
    storage_notes = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    warning = models.TextField(blank=True)  # printed with the run wherever it is shown
    is_illustrative = models.BooleanField(default=False)  # its source calls its figures a sample
    # Of a published run: the page or file that has the figure, and words to search there.
    locator_url = models.URLField(max_length=400, blank=True)
    locator_find = models.CharField(max_length=LOCATOR_CHARACTERS_MAX, blank=True)
    confidence = models.CharField(max_length=8, choices=TranscriptionConfidence.choices, blank=True)
    confidence_reason = models.CharField(max_length=120, blank=True)  # of a medium one

    def __str__(self) -> str:
        return f"{self.run_id}: {self.title}"


class Measurement(models.Model):
    """One workload of one run. Rates are operations per second of elapsed time."""

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="measurements", db_index=False
    )
    workload = models.CharField(max_length=64)  # suite workload id, or "published" group id
    version = models.PositiveSmallIntegerField(default=1)
    tool = models.CharField(max_length=32, default="fsyncmark")
    title = models.CharField(max_length=120)
    operation = models.CharField(max_length=16)  # commit, read, write, transaction, ...
    sync = models.CharField(max_length=16, blank=True)  # fdatasync, fsync, o_dsync, none, ""
    block_bytes = models.PositiveIntegerField(null=True)
    is_direct = models.BooleanField(null=True)  # past the page cache
    writers = models.PositiveSmallIntegerField(null=True)  # jobs that run side by side
    queue_depth = models.PositiveIntegerField(null=True)  # I/Os in flight over all jobs
    operations = models.BigIntegerField(null=True)
    bytes = models.BigIntegerField(null=True)
    elapsed_ns = models.BigIntegerField(null=True)
    rate_per_s = models.FloatField(null=True)
    rate_per_s_low = models.FloatField(null=True)  # lowest sample of the run
    rate_per_s_high = models.FloatField(null=True)
    # Of its passes, or of the thirds of an only one: what steal, throttling and drift did to it.
    slowest_part_per_s = models.FloatField(null=True)
    fastest_part_per_s = models.FloatField(null=True)
    sample_ns = models.BigIntegerField(null=True)
    passes = PackedJsonField(default=list)  # as sent: operations, elapsed_ns, rate_samples...
    bandwidth_bytes_per_s = models.BigIntegerField(null=True)
    flushes = models.BigIntegerField(null=True)
    device_bytes = models.BigIntegerField(null=True)
    # Thousandths of the time that operations of more than ten medians took.
    stall_share_milli = models.PositiveSmallIntegerField(null=True)
    engine = models.JSONField(default=dict)  # as sent: what measured it, and its effective depth
    others_device_permille = models.PositiveSmallIntegerField(null=True)  # in the worst pass
    others_cpu_permille = models.PositiveSmallIntegerField(null=True)  # null: cannot be told
    is_durable_single_writer = models.BooleanField(default=False)  # one writer, sync after each
    is_ranked = models.BooleanField(default=True)  # false: a label keeps this out, not the run
    extra = models.JSONField(default=dict)  # other published figures, SI units in their keys

    class Meta:
        ordering = ("run", "id")
        constraints = (
            models.UniqueConstraint(
                name="measurement_workload_once_a_run", fields=("run", "workload", "version")
            ),
        )

    def __str__(self) -> str:
        return f"{self.workload} v{self.version} of {self.run_id}"


class Latency(models.Model):
    """The distribution of one side of a measurement, in nanoseconds.

    Measured runs carry log128 buckets, from which every percentile here was computed. Published
    runs carry only the percentiles that their source printed.
    """

    measurement = models.ForeignKey(
        Measurement, on_delete=models.CASCADE, related_name="latencies", db_index=False
    )
    side = models.CharField(max_length=16)  # write, sync, commit, read, completion
    count = models.BigIntegerField(null=True)
    sum_ns = models.BigIntegerField(null=True)
    mean_ns = models.BigIntegerField(null=True)
    min_ns = models.BigIntegerField(null=True)
    p50_ns = models.BigIntegerField(null=True)
    p90_ns = models.BigIntegerField(null=True)
    p99_ns = models.BigIntegerField(null=True)
    p999_ns = models.BigIntegerField(null=True)
    p9999_ns = models.BigIntegerField(null=True)
    max_ns = models.BigIntegerField(null=True)
    histogram = HistogramField(null=True)  # BucketCounts
    # [[q, ns], ...] rising, q in 0..1; empty where a histogram has the curve
    printed_curve = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "latencies"
        constraints = (
            models.UniqueConstraint(
                name="latency_side_once_a_measurement", fields=("measurement", "side")
            ),
        )
        indexes = (  # finds earlier runs with nearly the same commits, the nearest first
            models.Index(
                name="commits_mean", fields=("mean_ns", "p50_ns"), condition=Q(side="commit")
            ),
        )

    def __str__(self) -> str:
        return f"{self.side} of {self.measurement_id}"

    @cached_property
    def curve(self) -> list[Any]:
        """The points [quantile, ns] to draw: of the histogram, else those of the source."""
        if self.histogram is None or self.min_ns is None or self.max_ns is None:
            return list(self.printed_curve)
        buckets, counts = map(tuple, self.histogram)
        histogram = Histogram(buckets, counts, self.sum_ns or 0, self.min_ns, self.max_ns)
        return [list(point) for point in histogram.curve()]


class RunRuling(models.Model):
    """What a person decided about a run. It outlives the run's rows, which may be made again."""

    class Kind(models.TextChoices):
        WITHDRAWN = "withdrawn", "withdrawn by its owner"
        HIDDEN = "hidden", "taken out of lists by its owner"
        EXCLUDED = "excluded", "excluded by a moderator"
        RELEASED = "released", "a rule does not hold here, says a moderator"

    run_id = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    rule = models.CharField(max_length=64, blank=True)  # the rule that a release is about
    reason = models.CharField(max_length=500)  # public
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="ruling_once_a_run", fields=("run_id", "kind", "rule")),
            models.CheckConstraint(
                name="ruling_release_names_its_rule",
                condition=Q(kind="released", rule__gt="") | (~Q(kind="released") & Q(rule="")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.run_id}"


class Tombstone(models.Model):
    """A run that was deleted: its id, so that nobody sends it again, and why it went."""

    run_id = models.UUIDField(primary_key=True)
    deleted_at = models.DateTimeField(auto_now_add=True)
    by_owner = models.BooleanField()  # else by a moderator
    reason = models.CharField(max_length=500)  # public

    def __str__(self) -> str:
        return f"tombstone of {self.run_id}"


class UploaderMerge(models.Model):
    """Uploaders that are judged as one, as long as the row stands; see `apps.runs.rulings`."""

    uploader = models.CharField(max_length=64, primary_key=True)  # as in Run.uploader
    into = models.CharField(max_length=64, db_index=True)
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(name="merge_is_of_two", condition=~Q(uploader=F("into"))),
        )

    def __str__(self) -> str:
        return f"{self.uploader} as {self.into}"


class Label(models.Model):
    """The finding of a rule in a run: a fact with an explanation, never a verdict on a person."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="labels", db_index=False)
    rule = models.CharField(max_length=64, db_index=True)  # id of a rule in apps.runs.rules
    rule_version = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=16)
    keeps_out = models.CharField(max_length=16, default=KeepsOut.NOTHING)
    # The figures of the rule's finding, for the sentences of this version of the rule. Null: made
    # before figures were stored; the run will be judged again.
    figures = models.JSONField(null=True)
    # A moderator found that the rule does not hold here: shown, and nothing is kept out by it.
    is_released = models.BooleanField(default=False)

    class Meta:
        ordering = ("run", "rule")
        constraints = (
            models.UniqueConstraint(name="label_rule_once_a_run", fields=("run", "rule")),
            models.CheckConstraint(
                name="label_quarantine_keeps_the_run_out",
                condition=~Q(outcome="quarantine") | Q(keeps_out="run"),
            ),
        )

    def __str__(self) -> str:
        return f"{self.rule} on {self.run_id}"

    @property
    def keeps_run_out(self) -> bool:
        """Whether the label keeps the whole run out of standings."""
        return self.keeps_out == KeepsOut.RUN
