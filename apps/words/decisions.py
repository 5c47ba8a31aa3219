"""What decisions of moderators are called: who decided, what was done, and to what."""

from __future__ import annotations

from typing import Final

from apps.moderation.models import Decision, Subject
from apps.moderation.roles import CATALOGUE_EDITOR, MODERATOR, OWNER

ROLES: Final[dict[str, str]] = {
    OWNER: "the site's owner",
    MODERATOR: "a moderator",
    CATALOGUE_EDITOR: "a catalogue editor",
}
DONE: Final[dict[str, str]] = {
    Decision.Action.EXCLUDE: "excluded a run",
    Decision.Action.RESTORE: "restored a run",
    Decision.Action.RELEASE: "set a rule aside for a run",
    Decision.Action.KEEP: "left it as it is",
    Decision.Action.DELETE: "deleted a run",
    Decision.Action.REVOKE_KEY: "revoked a key",
    Decision.Action.MERGE: "judges uploaders as one",
    Decision.Action.SPLIT: "judges uploaders apart",
    Decision.Action.CORRECT: "corrected the catalogue",
    Decision.Action.GRANT_LAB: "granted a laboratory's key",
    Decision.Action.WITHDRAW_LAB: "withdrew a laboratory's key",
    Decision.Action.ANSWER: "answered a report",
    Decision.Action.SHOW: "showed a provider's reply",
    "map-name": "named a drive",
    "set-aside": "set a drive's name aside",
    "accept-plan": "accepted a name",
    "merge-plan": "counts a plan as another",
    "show-names": "accepted a name",
    "dispute-price": "put a price in dispute",
    "settle-price": "settled a price",
}
SUBJECTS: Final[dict[str, str]] = {
    Subject.RUN: "run",
    Subject.PLAN: "plan",
    Subject.DRIVE: "drive",
    Subject.NAME: "drive name",
    Subject.PROVIDER: "provider",
    Subject.KEY: "key",
    Subject.UPLOADERS: "uploaders",
}
