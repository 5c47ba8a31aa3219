"""Which part of the product a process plays; its limits follow from it."""

from enum import StrEnum


class Role(StrEnum):
    """The value of PROCESS_ROLE."""

    WEB = "web"
    WORKER = "worker"
    SWEEPER = "sweeper"
    COMMAND = "command"  # manage.py by hand, tests
