"""manage.py doctor: examines this installation and says what to do."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from apps.config.operation.examination import Condition, examine

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Prints a line for each thing it looks at, and ends with 1 where one is broken."""

    help = "Look at settings, servers, processes and queue, and say what to do about each."
    requires_system_checks = ()  # it says the same in better words

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take --json."""
        parser.add_argument("--json", action="store_true", help="one JSON list, for programs")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Examine, print, and end with what there is to say."""
        diagnoses = list(examine())
        if options["json"]:
            self.stdout.write(json.dumps([asdict(each) for each in diagnoses], indent=1))
        else:
            for each in diagnoses:
                self.stdout.write(f"{each.condition:<7} {each.name}: {each.found}")
                if each.advice:
                    self.stdout.write(f"        {each.advice}")
        if any(each.condition is Condition.BROKEN for each in diagnoses):
            sys.exit(1)
