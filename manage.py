#!/usr/bin/env python3
"""Django's commands; `./run manage` starts it with the embedded servers up."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415  after the line above

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
