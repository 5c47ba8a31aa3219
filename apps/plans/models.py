"""What can be rented: providers, their plans and dated list prices."""

from typing import Self

from django.contrib.postgres.indexes import GinIndex
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q

from apps.plans.naming import SLUG_CHARACTERS_MAX

HOME_PROVIDER = "home"  # of machines that people own
UNLISTED_PROVIDER = "unlisted"  # of claims without a provider of the catalogue
NOT_FOR_RENT = (HOME_PROVIDER, UNLISTED_PROVIDER)
HOME_KIND = "home"  # of a plan: a machine that somebody owns
VPS = "vps"  # stands for every virtual machine in addresses
# Providers call one thing by either name: a machine on shared hardware.
VIRTUAL_MACHINES = frozenset({VPS, "cloud"})
NOTE_CHARACTERS_MAX = 4_000  # of a provider's answer: a page of text; more belongs on its own site


class Provider(models.Model):
    """A company that rents machines or disks, or one of the two stand-ins above."""

    slug = models.SlugField(primary_key=True, max_length=64)
    name = models.CharField(max_length=64, unique=True)
    url = models.URLField(blank=True)
    # The provider's own note on the figures here: text, signature and date, or none of the three.
    note = models.TextField(blank=True, validators=[MaxLengthValidator(NOTE_CHARACTERS_MAX)])
    note_by = models.CharField(max_length=120, blank=True)  # who signed it, with their role
    note_on = models.DateField(null=True, blank=True)  # the date of the signature

    class Meta:
        ordering = ("name",)
        constraints = (
            models.CheckConstraint(
                name="provider_note_is_signed_and_dated",
                condition=Q(note="", note_by="", note_on__isnull=True)
                | Q(~Q(note=""), ~Q(note_by=""), note_on__isnull=False),
                violation_error_message=(
                    "A note needs its text, who signed it and the day; leave all three empty for "
                    "none."
                ),
            ),
        )

    def __str__(self) -> str:
        return self.name


class StorageKind(models.TextChoices):
    """Where a plan keeps its bytes, where a source says so."""

    LOCAL_NVME = "local-nvme", "local NVMe"
    LOCAL_SATA = "local-sata", "local SATA"
    NETWORK = "network", "network"
    HDD = "hdd", "hard disk"
    UNKNOWN = "", "not stated"


class PlanQuerySet(models.QuerySet["Plan"]):
    """Plans, by what a reader may do with them."""

    def rentable(self) -> Self:
        """Return the plans that can be rented: no machines at home and no components of a price."""
        listed = self.filter(is_listed=True, is_component=False)
        return listed.exclude(provider__in=NOT_FOR_RENT)


class Plan(models.Model):
    """One thing that can be rented, or (`is_listed` false) a machine as its owner named it."""

    slug = models.SlugField(
        primary_key=True, max_length=SLUG_CHARACTERS_MAX
    )  # provider slug, dash, plan
    provider = models.ForeignKey(Provider, on_delete=models.PROTECT, related_name="plans")
    name = models.CharField(max_length=96)
    sent_name = models.CharField(max_length=96, blank=True)  # of an unlisted one, for staff alone
    is_listed = models.BooleanField(default=True)
    # Of an unlisted one, whose name a stranger wrote: whether a moderator has seen it.
    is_seen = models.BooleanField(default=True)
    kind = models.CharField(max_length=32, blank=True)
    cpu = models.CharField(max_length=128, blank=True)
    vcpus = models.PositiveIntegerField(null=True, blank=True)
    ram_gb = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    storage_description = models.CharField(max_length=300, blank=True)
    storage_kind = models.CharField(max_length=16, blank=True)
    # The provider states that its storage is emptied when the machine is stopped or moved.
    is_ephemeral = models.BooleanField(default=False)
    is_component = models.BooleanField(default=False)  # part of a price: not rented by itself
    is_retired = models.BooleanField(default=False)  # nobody can rent it any more
    drive_count = models.PositiveSmallIntegerField(null=True, blank=True)
    drive_gb = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    drive_family_hint = models.CharField(max_length=80, blank=True)
    # Of "drives", "regions" and "networks", those of which the catalogue has all that there are: a
    # machine with another one is not this plan.
    complete_lists = models.JSONField(default=list, blank=True)
    arch = models.CharField(max_length=32, blank=True)
    regions = models.CharField(max_length=300, blank=True)
    source = models.TextField(blank=True)

    objects = PlanQuerySet.as_manager()

    class Meta:
        ordering = ("slug",)
        constraints = (
            models.UniqueConstraint(name="plan_name_once_a_provider", fields=("provider", "name")),
        )
        indexes = (  # trigrams, so that the search finds a misspelt name
            GinIndex(name="plan_slug_pieces", fields=("slug",), opclasses=("gin_trgm_ops",)),
            GinIndex(name="plan_name_pieces", fields=("name",), opclasses=("gin_trgm_ops",)),
        )

    def __str__(self) -> str:
        return f"{self.provider_id} {self.name}"

    @property
    def full_name(self) -> str:
        """Provider and plan; the name alone of a machine that no company rents out."""
        is_rented = self.provider_id not in NOT_FOR_RENT
        return f"{self.provider.name} {self.name}" if is_rented else self.name


class PlanRuling(models.Model):
    """What a moderator decided about an unlisted plan, of the runs that name it."""

    slug = models.SlugField(primary_key=True, max_length=SLUG_CHARACTERS_MAX)  # of the unlisted one
    name = models.CharField(max_length=96, blank=True)  # blank: that of its sender
    into = models.ForeignKey(
        Plan, null=True, on_delete=models.SET_NULL, related_name="+"
    )  # the plan that it is; null: itself

    def __str__(self) -> str:
        return f"ruling on {self.slug}"


class PriceKind(models.TextChoices):
    """The kind of a price that is not the list price of its day; the least reliable first."""

    SUPERSEDED = "superseded"  # it has changed since
    FROM = "from"  # the price of the smallest of several sizes
    DERIVED = "derived"  # a sum of list prices that is not listed itself
    QUOTED = "quoted"  # from an article, not from a list


class PriceUnit(models.TextChoices):
    """The unit that an amount is for, where it is not for the whole plan."""

    GB = "GB"
    GIB = "GiB"
    IOPS = "IOPS"
    MIB_S = "MiB/s"
    VCPU = "vCPU"


class Price(models.Model):
    """A list price as a source stated it on a day. Nothing is converted."""

    class Period(models.TextChoices):
        HOUR = "hour"
        MONTH = "month"

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="prices")
    region = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3)
    amount = models.DecimalField(max_digits=14, decimal_places=6)
    period = models.CharField(max_length=8)
    setup_fee = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    valid_from = models.DateField()
    unit = models.CharField(max_length=8, blank=True)  # a PriceUnit; blank: of the whole plan
    term_months = models.PositiveSmallIntegerField(null=True, blank=True)  # null: a month at most
    kind = models.CharField(max_length=16, blank=True)  # a PriceKind; blank: the list price
    includes = models.TextField(blank=True)
    source = models.TextField()
    # False: staff added it, and a load of the shipped catalogue does not touch it
    is_shipped = models.BooleanField(default=True)
    is_disputed = models.BooleanField(default=False)  # by a moderator: no cost rests on it

    class Meta:
        ordering = ("plan", "-valid_from")
        constraints = (
            models.CheckConstraint(
                name="price_period_is_hour_or_month", condition=Q(period__in=("hour", "month"))
            ),
            models.CheckConstraint(name="price_amount_not_negative", condition=Q(amount__gte=0)),
            models.UniqueConstraint(
                name="price_stated_once",
                fields=(
                    "plan",
                    "region",
                    "currency",
                    "amount",
                    "period",
                    "valid_from",
                    "includes",
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount.normalize():f} {self.currency}/{self.period} from {self.valid_from}"

    @property
    def is_unit_price(self) -> bool:
        """Whether the amount is for one gigabyte, IOPS or processor, not for a server."""
        return bool(self.unit)

    @property
    def has_term(self) -> bool:
        """Whether it is only for contracts of more than a month."""
        return self.term_months is not None and self.term_months > 1


class ExchangeRate(models.Model):
    """How much of a currency one euro was worth on a day, by the European Central Bank."""

    day = models.DateField()
    currency = models.CharField(max_length=3)
    per_euro = models.DecimalField(max_digits=18, decimal_places=6)

    class Meta:
        ordering = ("-day", "currency")
        constraints = (
            models.UniqueConstraint(name="exchange_rate_once_a_day", fields=("day", "currency")),
            models.CheckConstraint(name="exchange_rate_positive", condition=Q(per_euro__gt=0)),
        )

    def __str__(self) -> str:
        return f"1 EUR = {self.per_euro} {self.currency} on {self.day}"
