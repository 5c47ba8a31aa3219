"""`manage.py write_labels`: explain/generated_labels.txt of the agent anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.runs.rules import TABLE, Rule

LABELS_FILE: Final = Path("agent") / "data" / "explain" / "generated_labels.txt"
_HEAD: Final = (
    "What `fsyncmark explain` knows of the labels of a server. Written by "
    "./run manage write_labels\nfrom the rules in apps/runs/rules.\n"
)
# A terminal may have no more than ASCII; file names and options need no quotes there.
_SPELLINGS: Final = (("µ", "u"), (" — ", ": "), ("`", ""))


class Command(BaseCommand):
    """Writes what the rules say into the file that the agent is built with."""

    help = f"Write the words of all rules to {LABELS_FILE}, for fsyncmark explain."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write the file and say so."""
        (settings.BASE_DIR / LABELS_FILE).write_text(label_texts(), encoding="ascii")
        self.stdout.write(f"Wrote {LABELS_FILE}.")


def label_texts() -> str:
    """Return the entries of all rules, in the order in which pages list them."""
    return "\n".join((_HEAD, *map(_entry, TABLE)))


def _entry(rule: Rule) -> str:
    why = rule.why.format(**rule.why_figures)
    text = f"[label] {rule.id}: {rule.text}\n{why}\nDo: {rule.remedy}\n"
    for sign, spelling in _SPELLINGS:
        text = text.replace(sign, spelling)
    return text
