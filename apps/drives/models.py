"""Drive families, their names and patterns, and the classes of the fsync ladder."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.indexes import GinIndex
from django.db import models

VIRTUAL: Final = "virtual"  # the kind of disks of hypervisors and clouds


class PowerLossProtection(models.TextChoices):
    """What happens to acknowledged, cached writes when the power fails."""

    FULL = "full", "full: cached writes survive a power cut"
    PARTIAL = "partial", "partial: only data at rest survives"
    NONE = "none", "none"
    UNKNOWN = "unknown", "not stated"


class LadderClass(models.Model):
    """A class of storage with the sync latency that is typical of it."""

    slug = models.SlugField(primary_key=True, max_length=32)
    name = models.CharField(max_length=64)
    position = models.PositiveSmallIntegerField()  # by low_ns, then high_ns; 0 is the fastest
    low_ns = models.BigIntegerField()
    high_ns = models.BigIntegerField()
    # a commit p50 below this is labelled as faster than the medium
    floor_ns = models.BigIntegerField(null=True, blank=True)
    syncs_per_s_typical = models.PositiveIntegerField(null=True, blank=True)
    is_claim = models.BooleanField(
        default=False
    )  # the range is claimed by a source: none was measured
    # the claimed range, if another one was measured
    claimed_low_ns = models.BigIntegerField(null=True, blank=True)
    claimed_high_ns = models.BigIntegerField(null=True, blank=True)
    source_title = models.CharField(max_length=200)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("position",)
        constraints = (
            # checked at COMMIT, so that a load may let rungs change places
            models.UniqueConstraint(
                name="ladder_position_once",
                fields=("position",),
                deferrable=models.Deferrable.DEFERRED,
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def claimed(self) -> tuple[int, int] | None:
        """The claimed range in nanoseconds, or None if no other one was measured."""
        if self.claimed_low_ns is None or self.claimed_high_ns is None:
            return None
        return self.claimed_low_ns, self.claimed_high_ns


class DriveFamily(models.Model):
    """A family of drives that share controller, flash and protection; blank facts are unknown."""

    slug = models.SlugField(primary_key=True, max_length=80)
    name = models.CharField(max_length=80, unique=True)
    vendor = models.CharField(max_length=64)
    kind = models.CharField(max_length=16)  # ssd, hdd, virtual, pmem, ...
    segment = models.CharField(max_length=16, blank=True)
    interface = models.CharField(max_length=16, blank=True)
    protocol_generation = models.CharField(max_length=64, blank=True)
    form_factor = models.CharField(max_length=128, blank=True)
    nand = models.CharField(max_length=32, blank=True)
    dram = models.CharField(max_length=16, blank=True)
    plp = models.CharField(max_length=8, default=PowerLossProtection.UNKNOWN)
    released = models.CharField(max_length=16, blank=True)
    match = models.TextField(blank=True)  # pattern over "vendor model", see recognition
    capacities_gb = models.CharField(max_length=200, blank=True)
    rated_seq_read_mbps = models.PositiveIntegerField(null=True, blank=True)
    rated_seq_write_mbps = models.PositiveIntegerField(null=True, blank=True)
    rated_rand_read_iops = models.PositiveIntegerField(null=True, blank=True)
    rated_rand_write_iops = models.PositiveIntegerField(null=True, blank=True)
    endurance_dwpd = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    ladder_class = models.ForeignKey(LadderClass, null=True, blank=True, on_delete=models.PROTECT)
    source = models.TextField()
    is_shipped = models.BooleanField(default=True)  # of drives.csv; else staff added it

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "drive families"
        indexes = (  # trigrams, so that the search finds a misspelt name
            GinIndex(name="drive_family_pieces", fields=("slug",), opclasses=("gin_trgm_ops",)),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_virtual(self) -> bool:
        """Whether it is a disk of a hypervisor or a cloud instead of a physical model."""
        return self.kind == VIRTUAL


class FamilySource(models.Model):
    """What one document says of facts of a drive family; each load of the catalogue replaces it."""

    class Agreement(models.TextChoices):
        """How it stands to what the catalogue says."""

        YES = "yes", "says the same"
        ADDS = "adds", "says more, or too little to decide"
        NO = "no", "says otherwise"

    family = models.ForeignKey(DriveFamily, on_delete=models.CASCADE, related_name="sources")
    facts = models.CharField(max_length=128)  # columns of drives.csv and others, by ";"
    found = models.TextField()  # the catalogue's value where it is the same, a colon, what it says
    agrees = models.CharField(max_length=4, choices=Agreement.choices)
    url = models.URLField(max_length=400)
    locator = models.CharField(max_length=200)  # a few words that stand there
    confidence = models.CharField(max_length=8)  # high, medium

    class Meta:
        ordering = ("pk",)  # that of the file

    def __str__(self) -> str:
        return f"{self.family_id} {self.facts}: {self.found}"

    @property
    def fact_names(self) -> tuple[str, ...]:
        """The facts that it speaks of, by their columns."""
        return tuple(self.facts.split(";"))


class DriveName(models.Model):
    """A vendor and a model as drives of any run have reported them.

    `family` is the family that the patterns last gave them, null if none did.
    """

    key = models.CharField(max_length=16, unique=True)  # identifies the two in addresses
    vendor = models.CharField(max_length=64, blank=True)
    model = models.CharField(max_length=64, blank=True)
    family = models.ForeignKey(
        DriveFamily, null=True, blank=True, on_delete=models.SET_NULL, related_name="names"
    )
    # Staff decided that there is no family for it, for example for a test device.
    is_set_aside = models.BooleanField(default=False)

    class Meta:
        ordering = ("vendor", "model")
        constraints = (
            models.UniqueConstraint(name="drive_name_once", fields=("vendor", "model")),
            models.CheckConstraint(
                name="drive_name_not_empty", condition=~models.Q(vendor="", model="")
            ),
        )
        indexes = (
            models.Index(
                name="drive_name_unknown",
                fields=("key",),
                condition=models.Q(family__isnull=True, is_set_aside=False),
            ),
            GinIndex(name="drive_name_pieces", fields=("model",), opclasses=("gin_trgm_ops",)),
        )

    def __str__(self) -> str:
        return " ".join(f"{self.vendor} {self.model}".split())


class DrivePatternQuerySet(models.QuerySet["DrivePattern"]):
    """Patterns that staff wrote."""

    def current(self) -> DrivePatternQuerySet:
        """Return the patterns in force, without those that gave way to the shipped catalogue."""
        return self.filter(gave_way="")


class DrivePattern(models.Model):
    """A pattern of staff for a family; loads of the shipped catalogue keep it."""

    family = models.ForeignKey(DriveFamily, on_delete=models.PROTECT, related_name="patterns")
    pattern = models.CharField(max_length=300)
    name = models.ForeignKey(DriveName, null=True, blank=True, on_delete=models.SET_NULL)
    source = models.TextField()  # where it is stated that the name is of this family
    added_at = models.DateTimeField(auto_now_add=True)
    # Why it is off: the shipped catalogue claims such names for another family. Blank: in force.
    gave_way = models.TextField(blank=True, editable=False)

    objects = DrivePatternQuerySet.as_manager()

    class Meta:
        ordering = ("-added_at",)
        constraints = (
            models.UniqueConstraint(name="drive_pattern_once", fields=("family", "pattern")),
        )

    def __str__(self) -> str:
        return f"{self.pattern} for {self.family_id}"
