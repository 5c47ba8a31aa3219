"""The staff pages of the queue: uploads that became poison, and an action to try them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from apps.accounts.admin import ReadOnlyAdmin
from apps.drives.models import DriveName, DrivePattern
from apps.intake.drive_names_admin import DriveNameAdmin, DrivePatternAdmin
from apps.intake.models import Challenge
from apps.intake.services.imports import clear_claims
from apps.intake.services.replay import replay
from apps.intake.tasks import ring_doorbell
from apps.runs.imported.services import show_names
from apps.runs.models import ImportedFile, Label, Upload

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest


admin.site.register(DriveName, DriveNameAdmin)
admin.site.register(DrivePattern, DrivePatternAdmin)


@admin.register(Upload)
class UploadAdmin(ReadOnlyAdmin):
    """The queue, poison first to be looked for."""

    list_display = ("run_id", "state", "attempts", "received_at", "next_attempt_at", "error")
    list_filter = ("state", "challenge_use")
    search_fields = ("run_id", "key__keyid")
    ordering = ("-received_at",)
    exclude = ("packed_payload", "signature", "envelope_as_sent", "challenge_seed")
    actions = ("try_again",)

    @admin.display(description="last error")
    def error(self, upload: Upload) -> str:
        """Return the first line of the last error."""
        return upload.last_error.partition("\n")[0]

    @admin.action(description="Try again: count attempts from zero")
    def try_again(self, request: HttpRequest, queryset: QuerySet[Upload]) -> None:
        """Put uploads back into the queue."""
        count = replay(queryset)
        for _ in range(count):
            ring_doorbell()
        self.message_user(request, f"{count} uploads wait to be tried again.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Do not load the bytes: a list of a hundred uploads may have 100 MB of them."""
        return super().get_queryset(request).defer("packed_payload")


@admin.register(ImportedFile)
class ImportedFileAdmin(ReadOnlyAdmin):
    """Imported outputs; staff may clear the claim of one, or delete it with its run."""

    list_display = (
        "run_id", "kind", "received_at", "claimed_provider", "claimed_plan", "claimed_drive",
    )  # fmt: skip
    ordering = ("-received_at",)
    exclude = ("content",)
    actions = ("clear_claims", "show_names")

    @admin.action(description="Clear what the sender said of the machine", permissions=("delete",))
    def clear_claims(self, request: HttpRequest, queryset: QuerySet[ImportedFile]) -> None:
        """Forget false names of provider, plan and drive; the figures stay."""
        count = clear_claims(queryset)
        self.message_user(request, f"{count} imports are of an unnamed machine now.")

    @admin.action(description="Show names that the catalogue lacks", permissions=("delete",))
    def show_names(self, request: HttpRequest, queryset: QuerySet[ImportedFile]) -> None:
        """Repeat what senders called machine and drive, now that somebody has read it."""
        count = show_names(queryset)
        self.message_user(request, f"{count} imports show the names that their senders gave.")

    @admin.display(description="kind")
    def kind(self, imported: ImportedFile) -> str:
        """Return the kind of output, such as fio-json."""
        return str(imported.document["kind"])

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Allow deleting with the permission, since nobody signed these bytes."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Do not load the bytes."""
        return super().get_queryset(request).defer("content")


@admin.register(Label)
class LabelAdmin(ReadOnlyAdmin):
    """What rules found: by rule, as the questions whether catalogue or claim is wrong."""

    list_display = ("rule", "run", "outcome", "keeps_out", "figures")
    list_filter = ("outcome", "keeps_out", "rule")
    list_select_related = ("run",)
    search_fields = ("run__slug",)
    ordering = ("-pk",)


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    """Challenges, redeemed or not."""

    list_display = ("id", "key", "suite", "issued_at", "not_after", "redeemed_at")
    list_filter = ("suite",)
    exclude = ("seed",)
