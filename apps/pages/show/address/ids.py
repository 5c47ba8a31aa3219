"""Ids of runs and of keys in a text that somebody pasted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.accounts.models import KEYID_CHARACTERS

RUN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


KEY_ID = re.compile(rf"(?<![0-9a-f])[0-9a-f]{{{KEYID_CHARACTERS}}}(?![0-9a-f])", re.IGNORECASE)


SHORT_KEY = re.compile(r"[0-9a-f]{6}\W[0-9a-f]{6}", re.IGNORECASE)  # as pages print a key


RUN_PAGE = re.compile(r"/runs/([A-Za-z0-9][A-Za-z0-9_-]{0,79})(?:[/?#]|$)")


RUN_NAME = re.compile(r"(?=[^-]+-)[A-Za-z0-9_-]{1,80}")  # of published ones: words with dashes


@dataclass(frozen=True, slots=True)
class IdSearch:
    """What somebody looks for: a run, the runs of a key, or nothing that we understand."""

    run: str = ""
    keyid: str = ""
    is_short_key: bool = False
    is_guess: bool = False  # a word that can be the name of a published run, or anything else

    @classmethod
    def read(cls, text: str) -> IdSearch:
        """Read a run id, the address or file name of a run, or a key id, wherever in the text."""
        if match := KEY_ID.search(text):
            return cls(keyid=match[0].lower())
        if match := RUN_ID.search(text):
            return cls(run=match[0].lower())
        if match := RUN_PAGE.search(text):
            return cls(run=match[1])
        if SHORT_KEY.search(text):
            return cls(is_short_key=True)
        match = RUN_NAME.fullmatch(text.strip())
        return cls(run=match[0], is_guess=True) if match else cls()
