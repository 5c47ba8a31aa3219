"""Plain facts behind a row of a board, for the columns that a reader chooses and for exports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from apps.pages.show import words
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.rankings.models import Evidence
from apps.rankings.standing_columns import NOT_STATED
from apps.runs.models import Level
from apps.runs.published.comparable import comparable_class
from apps.words.catalogue import EVIDENCE, INTERFACES, PLAN_KINDS, PROTECTION, STORAGE_KINDS

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal

    from apps.drives.models import DriveFamily
    from apps.plans.models import Plan
    from apps.rankings.models import Standing
    from apps.wire.suites import ComparableClass
    from apps.words.catalogue import ValueWords


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """What is known of a standing and of what it is of; empty and None where nobody says."""

    drive: str
    plp: str
    workload: str = ""
    version: int = 1
    evidence: str = ""
    n_runs: int = 0
    n_machines: int = 0
    n_uploaders: int = 0
    tier: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    median_sd_ln: float | None = None  # with the next, what tells it from other ranked rows
    apart_sds: float | None = None
    p99_low_ns: int | None = None
    p99_high_ns: int | None = None
    p999_ns: int | None = None
    interval_is: str = ""
    coverage: float | None = None  # of an interval over uploaders, 0 to 1
    measured_on: datetime | None = None  # of the newest run
    newest_run: str = ""  # its slug
    source: str = ""  # title of the article that it is from
    region: str = ""  # group of regions
    provider: str = ""
    provider_slug: str = ""
    plan_slug: str = ""
    drive_slug: str = ""
    needs_runs: bool = False
    is_reproduced: bool = False
    method_version: int = 0
    kind: str = ""
    storage: str = ""
    cpu: str = ""
    vcpus: int | None = None
    ram_gb: Decimal | None = None
    arch: str = ""
    interface: str = ""
    rated_write_iops: int | None = None  # random writes a second of the datasheet

    @property
    def comparable_class(self) -> ComparableClass:
        """The class of comparable work, 1 to 3."""
        return comparable_class(self.workload)

    @property
    def level(self) -> str:
        """The level of what it rests on: only runs of Witnessed and above are counted."""
        if self.evidence != Evidence.MEASURED:
            return self.evidence
        return "reproduced" if self.is_reproduced else Level.WITNESSED.value

    @property
    def reason(self) -> str:
        """Why it has no rank; empty where it has one."""
        if self.tier is not None:
            return ""
        if not Evidence.is_judged(self.evidence):
            return self.evidence
        return "needs-runs" if self.needs_runs else "rarer-storage"

    @property
    def evidence_words(self) -> str:
        """Whether it was measured, published or made up."""
        return words_of(self.evidence, EVIDENCE)

    @property
    def kind_words(self) -> str:
        """What kind of thing is rented."""
        return words_of(self.kind, PLAN_KINDS)

    @property
    def region_words(self) -> str:
        """The group of regions."""
        return words.region(self.region)

    @property
    def storage_words(self) -> str:
        """Where the plan keeps its bytes."""
        return words_of(self.storage, STORAGE_KINDS)

    @property
    def plp_words(self) -> str:
        """Power-loss protection."""
        return words_of(self.plp, PROTECTION)

    @property
    def interface_words(self) -> str:
        """How the drive is attached."""
        return words_of(self.interface, INTERFACES)


def words_of(value: str, table: ValueWords) -> str:
    """A value in words; one that no table knows as it is."""
    return str(table.get(value, value))


def compared_as(standing: Standing) -> str:
    """How the address of a comparison names a standing: its plan or drive, and which row of it."""
    if standing.plan_id:
        region = standing.region_group or NOT_STATED
        return str(Ref(RefKind.PLAN, standing.plan_id, region, standing.variant))
    return str(Ref(RefKind.DRIVE, standing.drive_family_id or "", variant=standing.variant))


def facts_of(standing: Standing) -> StandingFacts:
    """The facts of a standing whose plan or drive family is loaded with it.

    The day and the article of the newest run are annotations of the query, `measured_on` by
    itself or both of `with_sources`: boards that do not show them do not ask.
    """
    plan = standing.plan
    return replace(
        _of_plan(standing, plan) if plan is not None else _of_drive(standing.drive_family),
        workload=standing.workload,
        version=standing.version,
        evidence=standing.evidence,
        n_runs=standing.n_runs,
        n_machines=standing.n_machines,
        n_uploaders=standing.n_uploaders,
        needs_runs=standing.needs_runs,
        is_reproduced=standing.is_reproduced,
        method_version=standing.method_version,
        tier=standing.tier,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        median_sd_ln=standing.median_sd_ln,
        apart_sds=standing.apart_sds,
        p99_low_ns=standing.p99_low_ns,
        p99_high_ns=standing.p99_high_ns,
        p999_ns=standing.p999_ns,
        interval_is=standing.interval_is,
        coverage=standing.coverage,
        measured_on=getattr(standing, "measured_on", getattr(standing, "measured_at", None)),
        newest_run=standing.newest_run_slug,
        source=getattr(standing, "source_title", None) or "",
        region=standing.region_group,
    )


def _of_plan(standing: Standing, plan: Plan) -> StandingFacts:
    return StandingFacts(
        drive=standing.drive_names,
        plp=standing.plp,
        provider=plan.provider.name,
        provider_slug=plan.provider_id,
        plan_slug=plan.slug,
        kind=plan.kind,
        storage=plan.storage_kind,
        cpu=plan.cpu,
        vcpus=plan.vcpus,
        ram_gb=plan.ram_gb,
        arch=plan.arch,
    )


def _of_drive(family: DriveFamily | None) -> StandingFacts:
    if family is None:
        raise AssertionError("a standing is of a plan or of a drive family")
    return StandingFacts(
        drive=family.name,
        drive_slug=family.slug,
        plp=family.plp,
        interface=family.interface,
        rated_write_iops=family.rated_rand_write_iops,
    )
