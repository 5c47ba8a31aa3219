"""The staff pages of unknown drive names: a pattern gives a name its family, and runs follow.

They are in this app, because they put uploads back into its queue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.contrib import admin
from django.db import transaction
from django.db.models import Count
from django.urls import reverse
from django.utils.html import format_html

from apps.accounts.admin import ReadOnlyAdmin
from apps.drives.forms import DrivePatternForm
from apps.drives.models import DriveName, DrivePattern
from apps.drives.patterns import suggested_pattern
from apps.intake.tasks import ring_doorbell
from apps.runs.stale_runs import recognise_again, work_stale_runs_again

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    PatternModelAdmin = admin.ModelAdmin[DrivePattern]
else:
    PatternModelAdmin = admin.ModelAdmin  # generic to the type checker alone

RINGS_MAX: Final = 50  # more are not needed: the sweeper finds the rest


class StateFilter(admin.SimpleListFilter):
    """A filter of names by state; by default those without a family."""

    title = "state"
    parameter_name = "state"
    _STATES: Final = {
        None: {"family__isnull": True, "is_set_aside": False},
        "known": {"family__isnull": False},
        "aside": {"is_set_aside": True},
        "all": {},
    }

    def lookups(self, _request: HttpRequest, _model_admin: object) -> list[tuple[str, str]]:
        """Offer the states beside the default."""
        return [("known", "known"), ("aside", "set aside"), ("all", "all")]

    def choices(self, changelist: Any) -> Any:
        """Label the default choice by what it shows."""
        for place, choice in enumerate(super().choices(changelist)):
            yield {**choice, "display": "unknown"} if place == 0 else choice

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by the state that was chosen."""
        return queryset.filter(**self._STATES.get(self.value(), {}))


class DriveNameAdmin(ReadOnlyAdmin):
    """Names that runs reported, those in most runs first."""

    list_display = ("__str__", "n_runs", "family", "name_it")
    list_filter = (StateFilter,)
    search_fields = ("vendor", "model")
    actions = ("set_aside", "take_back")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count the runs of each name."""
        names: QuerySet[Any] = super().get_queryset(request)
        with_runs: QuerySet[Any] = names.annotate(n_runs=Count("run_drives__run", distinct=True))
        return with_runs.order_by("-n_runs", "key")

    @admin.display(description="runs", ordering="n_runs")
    def n_runs(self, name: Any) -> int:
        """Return how many runs bear the name."""
        count: int = name.n_runs
        return count

    @admin.display(description="")
    def name_it(self, name: DriveName) -> SafeString:
        """Link to a form for a pattern that begins with the name itself."""
        query = urlencode({"name": name.pk, "pattern": suggested_pattern(str(name))})
        return format_html(
            '<a href="{}?{}">name it</a>', reverse("admin:drives_drivepattern_add"), query
        )

    @admin.action(description="Set aside: there is nothing to name")
    def set_aside(self, request: HttpRequest, queryset: QuerySet[DriveName]) -> None:
        """Take names off the queue and off the public page."""
        count = DriveName.objects.filter(pk__in=queryset.values("pk")).update(is_set_aside=True)
        self.message_user(request, f"{count} names are set aside.")

    @admin.action(description="Take back into the queue")
    def take_back(self, request: HttpRequest, queryset: QuerySet[DriveName]) -> None:
        """Put names back into the list of those that wait for a family."""
        count = DriveName.objects.filter(pk__in=queryset.values("pk")).update(is_set_aside=False)
        self.message_user(request, f"{count} names are in the queue again.")


class DrivePatternAdmin(PatternModelAdmin):
    """Patterns of staff. After each change the runs with the names concerned are made again."""

    form = DrivePatternForm
    list_display = ("pattern", "family", "added_at", "gave_way")
    search_fields = ("pattern", "family__name")
    autocomplete_fields = ("family",)
    raw_id_fields = ("name",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save, then update names and runs."""
        super().save_model(request, obj, form, change)
        self._update_names_and_runs(request)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete, then update names and runs."""
        super().delete_model(request, obj)
        self._update_names_and_runs(request)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete several, then update names and runs."""
        with transaction.atomic():
            super().delete_queryset(request, queryset)
            self._update_names_and_runs(request)

    def _update_names_and_runs(self, request: HttpRequest) -> None:
        count = recognise_again()
        transaction.on_commit(lambda: work_again(lambda text: self.message_user(request, text)))
        self.message_user(request, f"{count} names mean another family now.")


def work_again(say: Callable[[str], None]) -> None:
    """Put stale runs into the queue, and wake workers for the first of them."""
    uploads = work_stale_runs_again()
    for _ in uploads[:RINGS_MAX]:
        ring_doorbell()
    say(f"{len(uploads)} runs wait to be made again.")
