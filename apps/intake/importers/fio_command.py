"""Reads the command line that people paste above fio's output."""

from __future__ import annotations

import shlex
from typing import Final

from apps.intake.importers.fio_options import Options
from apps.intake.importers.limits import NAME_CHARACTERS_MAX
from apps.intake.importers.patterns import Pattern

COMMAND: Final = Pattern(r"(?:.*?[\s#$>/])?fio\s+(?P<arguments>-.+)", having="fio ")


def options_of_command(arguments: str) -> Options | None:
    """Return the options of a command of fio with one job; None for any other command."""
    try:
        words = shlex.split(arguments)
    except ValueError:  # a quote without its other half
        return None
    values: dict[str, str] = {}
    names = 0
    for word in words:
        key, _, value = word.lstrip("-").partition("=")
        if not word.startswith("-"):
            return None  # a job file, or a value after a blank: what it says is not here
        names += key == "name"
        values[key] = value[:NAME_CHARACTERS_MAX]
    return Options(values) if names <= 1 else None
