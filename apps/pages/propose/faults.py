"""What the check says of a proposal, by the field of the form that it is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from apps.pages.show.phrases import with_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from apps.pages.propose.form import FormLine

# The member that a fault of the shape names at its end, and the field that it is made of.
MEMBER: Final = re.compile(r" - at `\$\.(?P<member>[a-z_.]+)`$")
FIELD_OF: Final[Mapping[str, str]] = {
    "locator.url": "address", "url": "address", "title": "title", "locator.find": "find",
    "published": "published", "workload.id": "workload", "workload.tool": "workload",
    "metrics.iops": "rate", "provider": "provider", "plan": "plan", "drive_model": "drive",
}  # fmt: skip
NAMED: Final = ("provider", "plan")  # a fault that begins so: the catalogue has no such name


class Said(NamedTuple):
    """A fault as the page says it."""

    text: str
    is_english: bool = False  # in every language of the page


def in_words(faults: Iterable[str], fields: Mapping[str, FormLine]) -> tuple[Said, ...]:
    """Each fault as a sentence on its field, once; one of no field in the English of the check.

    Of the shape of a record the check names only the first fault: fields that are empty go before.
    """
    empty = [each for each in fields.values() if each.is_required and not each.value]
    of_empty = (Said(_of_field(each)) for each in empty)
    said = (*of_empty, *(_in_words(fault, fields) for fault in faults))
    return tuple(dict.fromkeys(said))


def _in_words(fault: str, fields: Mapping[str, FormLine]) -> Said:
    if (named := fault.partition(" ")[0]) in NAMED:
        return Said(with_name(fields[named].label, _("write it as its page here does")))
    if fault.startswith("the figure is missing"):
        return Said(_of_field(fields["rate"]))
    if (member := MEMBER.search(fault)) and member["member"] in FIELD_OF:
        return Said(_of_field(fields[FIELD_OF[member["member"]]]))
    return Said(fault, is_english=True)


def _of_field(field: FormLine) -> str:
    label = capfirst(str(field.label))
    if not (field.value and field.hint):
        return with_name(label, _("not stated"))
    return with_name(label, _("write it like %(example)s") % {"example": field.hint})
