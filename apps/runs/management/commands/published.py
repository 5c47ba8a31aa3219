"""`manage.py published`: whether the cited results are sound, and whether their pages answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError

from apps.runs.published.check.files import SHIPPED, Checked, PublishedFiles, check_files
from apps.runs.published.check.online import ask_all

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


SILENT_MAX: Final = 10  # pages of several hosts: when none of them answers, none will


class Command(BaseCommand):
    """Prints every fault with its file and line and ends with 1 where there is one."""

    help = "Check the published results that ship with us; docs/published.md."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --check, --online and --folder."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--check", action="store_true", help="shape, units, arithmetic, names, duplicates"
        )
        what.add_argument(
            "--online", action="store_true", help="the same, then whether each address answers"
        )
        parser.add_argument(
            "--folder",
            type=Path,
            default=SHIPPED.results.parent,
            help="where published_results.jsonl and its two companions lie, if elsewhere",
        )

    def handle(self, *_args: Any, online: bool, folder: Path, **_options: Any) -> None:
        """Check, and ask the addresses only where the files are sound."""
        files = PublishedFiles(
            *(folder / each.name for each in (SHIPPED.results, SHIPPED.sources, SHIPPED.workloads))
        )
        checked = check_files(files)
        for finding in checked.findings:
            self.stderr.write(str(finding))
        if checked.findings:
            raise CommandError(f"{len(checked.findings)} faults in {folder}")
        self.stdout.write(f"{len(checked.records)} records of {len(checked.sources)} sources: ok")
        if online:
            self._ask(checked)

    def _ask(self, checked: Checked) -> None:
        pages = [source.url for source in checked.sources.values()]
        pages += [line.record.locator.url for line in checked.records]
        answers = []
        for answer in ask_all(page for page in pages if page):
            answers.append(answer)
            if len(answers) == SILENT_MAX and not any(each.status for each in answers):
                break
        if not any(answer.status for answer in answers):
            raise CommandError("No address answered at all: this machine seems to be offline.")
        lost = [answer for answer in answers if not answer.is_there]
        for answer in lost:
            self.stderr.write(str(answer))
        if lost:
            raise CommandError(f"{len(lost)} of {len(answers)} addresses are not there.")
        self.stdout.write(f"{len(answers)} addresses answer")
