"""What an address asks to compare: which things, against which of them, under which workload."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from apps.pages.show.address.query_string import TEXT_CHARACTERS_MAX
from apps.pages.show.address.references import Ref, RefKind
from apps.rankings.models import Evidence

if TYPE_CHECKING:
    from django.http import QueryDict

THINGS_MAX = 6  # more lines at one place of the field cannot be told apart
THINGS_MIN = 2
ASKED_MAX = 24  # of an address; whatever follows is not even looked up
WORKLOAD = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
VERSIONED = re.compile(r"(?P<name>.+)-v(?P<version>[0-9]{1,4})")
# An address of a page of this site, in any language: what people have at hand to paste.
PAGE_ADDRESS = re.compile(r"/(plan|drive|run)s/([A-Za-z0-9][A-Za-z0-9_-]{0,159})/?(?:[?#].*)?$")
EVIDENCES = frozenset(evidence.value for evidence in Evidence)


def ref_in(text: str) -> Ref | None:
    """What somebody pasted into the field: kind:slug, or the address of a page of this site."""
    if match := PAGE_ADDRESS.search(text.strip()):
        return Ref(RefKind(match[1]), match[2])
    return Ref.read(text)


@dataclass(frozen=True, slots=True)
class CompareQuery:
    """The state of the page, all of which is in its address."""

    on: tuple[Ref, ...] = ()
    base: Ref | None = None  # None: the first
    workload: str = ""  # as asked, with or without -vN; empty: the best common one
    evidence: str = ""
    add: str = ""  # words to look for
    unread: tuple[str, ...] = ()  # what no thing can be called
    beyond: int = 0  # how many were asked for beyond the most

    @classmethod
    def read(cls, address: QueryDict) -> Self:
        """Read the address; what is asked for twice counts once."""
        refs: dict[Ref, None] = {}
        unread = []
        for text in address.getlist("on")[:ASKED_MAX]:
            ref = Ref.read(text)
            if ref is not None:
                refs[ref] = None
            elif text.strip():
                unread.append(text.replace("\x00", "")[:TEXT_CHARACTERS_MAX])
        workload, evidence = address.get("workload", ""), address.get("evidence", "")
        return cls(
            on=tuple(refs)[:THINGS_MAX],
            base=Ref.read(address.get("base", "")),
            workload=workload if WORKLOAD.fullmatch(workload) else "",
            evidence=evidence if evidence in EVIDENCES else "",
            add=address.get("add", "").replace("\x00", "").strip()[:TEXT_CHARACTERS_MAX],
            unread=tuple(unread),
            beyond=max(0, len(refs) - THINGS_MAX),
        )

    @property
    def is_full(self) -> bool:
        """Whether no other thing has room."""
        return len(self.on) >= THINGS_MAX

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        pairs = [("on", str(ref)) for ref in self.on]
        if self.base is not None and self.base in self.on and self.base != self.on[0]:
            pairs.append(("base", str(self.base)))
        pairs += [("workload", self.workload), ("evidence", self.evidence)]
        # A colon may stand in a query; people read these addresses.
        query_string = "&".join(
            f"{name}={quote(value, safe=':@')}" for name, value in pairs if value
        )
        return f"?{query_string}" if query_string else ""

    def with_thing(self, ref: Ref) -> Self:
        """This comparison with one more thing."""
        on = self.on if ref in self.on else (*self.on, ref)
        return replace(self, on=on[:THINGS_MAX], add="")

    def only(self, refs: tuple[Ref, ...]) -> Self:
        """This comparison with only these of its things."""
        return replace(self, on=refs, add="", unread=(), beyond=0)

    def without(self, ref: Ref) -> Self:
        """This comparison without one of its things."""
        return self.only(tuple(each for each in self.on if each != ref))

    def based_on(self, ref: Ref) -> Self:
        """This comparison against another baseline."""
        return replace(self, base=ref, add="")

    def moved(self, ref: Ref, step: int) -> Self:
        """This comparison with one thing a place further; the baseline stays what it was."""
        order = list(self.on)
        place = order.index(ref)
        order[place], order[place + step] = order[place + step], order[place]
        return replace(self, on=tuple(order), base=self.base or self.on[0], add="")

    def under(self, workload: str, evidence: str) -> Self:
        """This comparison under another workload."""
        return replace(self, workload=workload, evidence=evidence, add="")
