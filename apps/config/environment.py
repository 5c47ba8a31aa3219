"""The environment that settings read, and the files that it names for secrets."""

from __future__ import annotations

from environ import FileAwareEnv
from environ.fileaware_mapping import FileAwareMapping


class WithoutEnds(FileAwareMapping):  # type: ignore[misc]  # environ has no types
    """Values without blanks around them: editors end the file of a secret with a new line."""

    def __getitem__(self, key: str) -> str:
        return str(super().__getitem__(key)).strip()


class SettingsSource(FileAwareEnv):  # type: ignore[misc]  # as above
    """Settings of this process; `SECRET_KEY_FILE` names a file that holds `SECRET_KEY`."""

    ENVIRON = WithoutEnds()
