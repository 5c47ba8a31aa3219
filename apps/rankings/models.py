"""Computed tables: where plans, drive families and providers stand. All of it can be rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.plans.naming import SLUG_CHARACTERS_MAX

if TYPE_CHECKING:
    from apps.rankings.cost import PricedVolume


class Evidence(models.TextChoices):
    """Measured, published and made-up figures, which are shown side by side and never mixed."""

    MEASURED = "measured", "Measured"
    PUBLISHED = "published", "Published"
    LAB = "lab", "Lab"  # by a laboratory whose set-up is public; never mixed with anybody's
    EXAMPLE = "example", "Example"  # made up, to look at pages; ranked like measured ones

    @classmethod
    def is_judged(cls, evidence: str) -> bool:
        """Whether figures of this kind are of uploads, which are weighted, flagged and ranked."""
        return evidence != cls.PUBLISHED


class Standing(models.Model):
    """One cell: a plan or a drive family under one version of one workload.

    A plan has a cell in each group of regions in which it was measured; a drive family has one. A
    cell that holds two kinds of storage has a row for each, by `variant`.
    """

    evidence = models.CharField(max_length=16)
    plan = models.ForeignKey(Plan, null=True, on_delete=models.CASCADE, related_name="standings")
    drive_family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.CASCADE, related_name="standings"
    )
    workload = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField(default=1)
    region_group = models.CharField(max_length=16, blank=True)  # of a plan; blank: not known
    variant = models.PositiveSmallIntegerField(default=0)  # 0: one kind; else 1 is the fastest
    n_variants = models.PositiveSmallIntegerField(default=1)
    # Of a cell with several kinds of storage, the commonest first: [uploaders, rate a second, the
    # drive family if there is one only]. The same on the rows of all its kinds.
    kinds = models.JSONField(default=list)
    workload_title = models.CharField(max_length=120)
    is_durable_single_writer = models.BooleanField(default=False)  # has a cost per commit

    rate_per_s = models.FloatField()
    rate_per_s_low = models.FloatField(null=True)
    rate_per_s_high = models.FloatField(null=True)
    # Of what low and high are: samples, repeats, filesystems (repeats on several), machines or
    # uploaders. They are the extremes; over uploaders of measured runs they hold the median with
    # the probability `coverage`.
    interval_is = models.CharField(max_length=24, blank=True)
    coverage = models.FloatField(null=True)
    p50_ns = models.BigIntegerField(null=True)
    p99_ns = models.BigIntegerField(null=True)
    # The interval of the median of the uploaders' p99, with `coverage`. Null for a single uploader,
    # where one of them has no p99, and for published figures.
    p99_low_ns = models.BigIntegerField(null=True)
    p99_high_ns = models.BigIntegerField(null=True)
    p99_bound_ns = models.BigIntegerField(null=True)  # of a commit of which only parts are timed
    p999_ns = models.BigIntegerField(null=True)
    p9999_ns = models.BigIntegerField(null=True)
    latency_side = models.CharField(max_length=16, blank=True)  # commit, sync, completion
    curve = models.JSONField(default=list)  # [[q, ns], ...] for the row's trace
    # Of all runs as one distribution, by the weights of uploaders; null without histograms.
    pooled_p50_ns = models.BigIntegerField(null=True)
    pooled_p99_ns = models.BigIntegerField(null=True)
    pooled_p999_ns = models.BigIntegerField(null=True)

    n_runs = models.PositiveIntegerField()
    n_machines = models.PositiveIntegerField()
    n_uploaders = models.PositiveIntegerField()
    n_cell_uploaders = models.PositiveIntegerField(default=0)  # of all kinds of storage together
    n_flagged = models.PositiveIntegerField(default=0)  # uploaders far from the others
    n_effective = models.FloatField(default=1)  # effective number of uploaders, by their weights
    spread_ln = models.FloatField(default=0)  # standard deviation of uploaders, ln of the rate
    is_anonymous = models.BooleanField(default=False)  # nobody among the uploaders is claimed
    n_claimed = models.PositiveIntegerField(default=0)  # uploaders that are claimed accounts
    # Three unrelated claimed accounts measured the same; see apps.stats.standings.agreement.
    is_reproduced = models.BooleanField(default=False)
    needs_runs = models.BooleanField(default=False)  # measured by too few to be ranked
    points = models.JSONField(default=list)  # where it needs runs: the rate of each uploader
    # A day from which on other uploaders measured another rate than those before; with enough of
    # them the standing rests on what was measured since.
    changed_since = models.DateField(null=True)
    rate_before_per_s = models.FloatField(null=True)
    rate_since_per_s = models.FloatField(null=True)
    n_since = models.PositiveIntegerField(default=0)  # uploaders

    # Null where it is not ranked. The rate that orders its board; then what tells it from another
    # row: the standard error of its median (ln), and how many of those of a difference are needed.
    order_rate_per_s = models.FloatField(null=True)
    median_sd_ln = models.FloatField(null=True)
    apart_sds = models.FloatField(null=True)
    rank_low = models.PositiveIntegerField(null=True)
    rank_high = models.PositiveIntegerField(null=True)
    tier = models.PositiveIntegerField(null=True)
    is_tied_with_above = models.BooleanField(default=False)

    newest_run_slug = models.CharField(max_length=80)  # the run that a reader opens first
    # What readers must know beside the figures: warnings of its sources, each once, and the
    # filesystems of its runs if there are several.
    warnings = models.JSONField(default=list)
    filesystems = models.JSONField(default=list)
    is_illustrative = models.BooleanField(default=False)  # a source calls its figures a sample

    price = models.ForeignKey(Price, null=True, on_delete=models.SET_NULL)
    currency = models.CharField(max_length=3, blank=True)
    cost_per_billion = models.DecimalField(max_digits=16, decimal_places=4, null=True)
    price_month_per_1000 = models.DecimalField(max_digits=16, decimal_places=4, null=True)
    drive_names = models.CharField(max_length=200, blank=True)  # families seen, for the row
    plp = models.CharField(max_length=8, blank=True)
    ladder_class = models.ForeignKey(
        "drives.LadderClass", null=True, on_delete=models.SET_NULL
    )  # expected of the device
    method_version = models.PositiveSmallIntegerField(default=1)

    # Of a volume of any size: its price where `selectors.with_volume_prices` read it; not stored.
    volume: PricedVolume | None = None

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="standing_of_a_plan_or_a_drive",
                condition=Q(plan__isnull=False, drive_family__isnull=True)
                | Q(plan__isnull=True, drive_family__isnull=False),
            ),
            models.UniqueConstraint(
                name="standing_once_a_plan_cell",
                fields=("plan", "evidence", "workload", "version", "region_group", "variant"),
                condition=Q(plan__isnull=False),
            ),
            models.UniqueConstraint(
                name="standing_once_a_drive_cell",
                fields=("drive_family", "evidence", "workload", "version", "variant"),
                condition=Q(drive_family__isnull=False),
            ),
            models.CheckConstraint(
                name="standing_of_a_drive_is_of_all_regions",
                condition=Q(plan__isnull=False) | Q(region_group=""),
            ),
            models.CheckConstraint(name="standing_rate_positive", condition=Q(rate_per_s__gt=0)),
        )
        indexes = (
            models.Index(name="standing_board", fields=("workload", "version", "-rate_per_s")),
            # Boards count all rows by workload: of 1.6 KB each these columns are read alone.
            models.Index(
                name="standing_counts",
                fields=("workload", "plan", "drive_family"),
                include=("evidence", "is_durable_single_writer", "workload_title"),
            ),
        )

    def __str__(self) -> str:
        return f"{self.plan_id or self.drive_family_id} {self.workload} {self.rate_per_s:.0f}/s"

    @property
    def is_of_middle_uploader(self) -> bool:
        """Whether its percentiles are those of the middle one of several uploaders."""
        return self.n_uploaders > 1 and self.evidence != Evidence.PUBLISHED


class StandingSpread(models.Model):
    """The machines that a standing rests on, and what was got with them; see `standings.spread`.

    Of standings that may lead a page. It is bounded, however many uploaders there are.
    """

    standing = models.OneToOneField(
        Standing, primary_key=True, on_delete=models.CASCADE, related_name="spread"
    )
    # The fastest first: [rank among all, rate a second, whether it is far from the others, rates of
    # its machines, the lowest first].
    uploaders = models.JSONField()
    # Drives of a plan or plans of a drive that people got, that of the most uploaders first: slugs,
    # empty where nobody named it, and for each of them who got it and how fast it was.
    items = ArrayField(models.CharField(max_length=SLUG_CHARACTERS_MAX, blank=True))
    outcomes = models.JSONField()
    n_unlisted = models.PositiveIntegerField()  # of them that are left out

    def __str__(self) -> str:
        return f"spread of {self.standing_id}"


class StandingsDay(models.Model):
    """The UTC day that all standings are of: one row, which moves on once a day.

    What counts depends on it and not on the clock, so that a rebuild gives the same.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    day = models.DateField()

    class Meta:
        constraints = (models.CheckConstraint(name="standings_day_is_one_row", condition=Q(id=1)),)

    def __str__(self) -> str:
        return self.day.isoformat()


class StandingRun(models.Model):
    """A run that counts in a standing.

    It has the id of the run and no foreign key, because normalising replaces the run's row. So the
    cells that a run has left can still be looked up.
    """

    standing = models.ForeignKey(Standing, on_delete=models.CASCADE, related_name="counted")
    run_id = models.UUIDField(db_index=True)
    is_flagged = models.BooleanField(default=False)  # its uploader is far from the others

    class Meta:
        constraints = (
            models.UniqueConstraint(
                name="standing_counts_a_run_once", fields=("standing", "run_id")
            ),
        )

    def __str__(self) -> str:
        return f"{self.run_id} in {self.standing_id}"


class CellMark(models.Model):
    """A cell whose runs changed, so that its standing has to be computed again.

    Each upload adds rows of its own, so it never waits for a worker that is computing the cell. A
    mark that is added meanwhile stays for the next time. That of a large cell is due later.
    """

    subject = models.CharField(max_length=8)  # plan or drive
    slug = models.CharField(max_length=SLUG_CHARACTERS_MAX)
    evidence = models.CharField(max_length=16)
    workload = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField()
    region_group = models.CharField(max_length=16, blank=True)
    marked_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        slug = "/".join(filter(None, (self.slug, self.region_group)))
        return f"{self.subject}/{slug} {self.workload} v{self.version}"


class CellMonth(models.Model):
    """One month of a cell of comparable commits; see `standings.months`. Rates a second."""

    subject = models.CharField(max_length=8)  # plan or drive
    slug = models.CharField(max_length=SLUG_CHARACTERS_MAX)
    evidence = models.CharField(max_length=16)
    workload = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField()
    region_group = models.CharField(max_length=16, blank=True)
    first_day = models.DateField()

    rate_per_s = models.FloatField()  # median over uploaders
    low_per_s = models.FloatField(null=True)  # of the middle half of them; null: too few
    high_per_s = models.FloatField(null=True)
    # Intervals of the median, [low, high] or null where uploaders are too few: the n-th, from 1,
    # misses in 5 % / n, for a chart of n months.
    bounds = models.JSONField()
    n_uploaders = models.PositiveIntegerField()
    n_machines = models.PositiveIntegerField()
    n_runs = models.PositiveIntegerField()
    drive = models.CharField(max_length=160, blank=True)  # family that most uploaders had

    class Meta:
        constraints = (
            models.UniqueConstraint(
                name="cell_month_once",
                fields=(
                    "slug",
                    "subject",
                    "evidence",
                    "workload",
                    "version",
                    "region_group",
                    "first_day",
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.subject}/{self.slug} {self.workload} {self.first_day:%Y-%m}"


class MonthMark(models.Model):
    """A month of a plan or a drive in which runs changed; triggers of the database add it.

    As with `CellMark`, rows are only added until somebody has computed the month.
    """

    subject = models.CharField(max_length=8)  # plan or drive
    slug = models.CharField(max_length=SLUG_CHARACTERS_MAX)
    first_day = models.DateField()
    due_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.subject}/{self.slug} {self.first_day:%Y-%m}"


class ProviderStanding(models.Model):
    """The best plan of a provider and its cheapest per commit; a provider has no rate itself."""

    provider = models.ForeignKey(Provider, on_delete=models.CASCADE, related_name="standings")
    evidence = models.CharField(max_length=16)
    workload = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField(default=1)
    best = models.ForeignKey(Standing, on_delete=models.CASCADE, related_name="+")
    cheapest = models.ForeignKey(Standing, null=True, on_delete=models.CASCADE, related_name="+")
    n_plans = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                name="provider_standing_once",
                fields=("provider", "evidence", "workload", "version"),
            ),
        )

    def __str__(self) -> str:
        return f"{self.provider_id} {self.workload}"


class PlanDrives(models.Model):
    """What people got with a plan: drive families with their shares; see `advice.lottery`."""

    plan = models.OneToOneField(
        Plan, primary_key=True, on_delete=models.CASCADE, related_name="got_drives"
    )
    drives = models.JSONField()  # LotteryDrive, that of the most uploaders first

    def __str__(self) -> str:
        return f"drives of {self.plan_id}"


class DataChange(models.Model):
    """A transaction that changed what shared pages show; triggers of the database add it.

    Rows are only added, so that no two transactions wait for each other. Old ones are deleted.
    """

    def __str__(self) -> str:
        return f"change {self.pk}"


class PublicChange(models.Model):
    """Something that who keeps a copy of the API has to fetch again: once, as of its last change.

    Triggers of the database write it with the change itself. It gets its number afterwards, from
    one process at a time (`apps.rankings.versions.public`): numbers are visible in their order,
    which those of a sequence or of a clock are not.
    """

    kind = models.CharField(max_length=8)  # run, plan or drive
    slug = models.CharField(max_length=SLUG_CHARACTERS_MAX)
    is_gone = models.BooleanField(default=False)  # deleted, or no longer in lists
    changed_at = models.DateTimeField()
    number = models.BigIntegerField(null=True, unique=True)  # null: not numbered yet

    class Meta:
        constraints = (
            models.UniqueConstraint(name="public_change_once_a_thing", fields=("kind", "slug")),
        )
        indexes = (
            models.Index(
                name="public_change_waiting", fields=("id",), condition=Q(number__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}/{self.slug}"


class RankChange(models.Model):
    """On a day a standing came into another tier than it was in, or into none."""

    day = models.DateField()  # on which it was noticed
    evidence = models.CharField(max_length=16)
    plan = models.ForeignKey(Plan, null=True, on_delete=models.CASCADE, related_name="+")
    drive_family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.CASCADE, related_name="+"
    )
    workload = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField()
    region_group = models.CharField(max_length=16, blank=True)
    variant = models.PositiveSmallIntegerField(default=0)
    tier_before = models.PositiveIntegerField(null=True)  # null: it was not ranked
    tier = models.PositiveIntegerField(null=True)  # null: it is not ranked any more

    def __str__(self) -> str:
        return f"{self.plan_id or self.drive_family_id}: {self.tier_before} to {self.tier}"


class CatalogueLoad(models.Model):
    """The catalogue that was loaded last: one row, by which a load sees that nothing changed."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    digest = models.CharField(max_length=64)  # hex SHA-256 over the data and its readers
    loaded_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (models.CheckConstraint(name="catalogue_load_is_one_row", condition=Q(id=1)),)

    def __str__(self) -> str:
        return self.digest[:12]


class Dump(models.Model):
    """An attempt to write everything public as files, and what came of it; see `rankings.dumps`."""

    # Of its folder in the store, which is also its address: the moment at which it was begun.
    name = models.CharField(max_length=24, unique=True)
    begun_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField(null=True)  # null: at work, failed or broken off
    error = models.TextField(blank=True)
    files = models.JSONField(default=list)  # StoredFile

    def __str__(self) -> str:
        return f"dump {self.name}"
