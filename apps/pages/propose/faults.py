"""What the check says of a proposal, by the field of the form that it is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

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


def in_words(faults: Iterable[str], fields: Mapping[str, FormLine]) -> tuple[str, ...]:
    """Each fault as a sentence on its field, once; one of no field as the check has it.

    Of the shape of a record the check names only the first fault: fields that are empty go before.
    """
    empty = [each for each in fields.values() if each.is_required and not each.value]
    said = (*map(_of_field, empty), *(_in_words(fault, fields) for fault in faults))
    return tuple(dict.fromkeys(said))


def _in_words(fault: str, fields: Mapping[str, FormLine]) -> str:
    if (named := fault.partition(" ")[0]) in NAMED:
        return with_name(fields[named].label, _("write it as its page here does"))
    if fault.startswith("the figure is missing"):
        return _of_field(fields["rate"])
    if (member := MEMBER.search(fault)) and member["member"] in FIELD_OF:
        return _of_field(fields[FIELD_OF[member["member"]]])
    return fault


def _of_field(field: FormLine) -> str:
    label = capfirst(str(field.label))
    if not (field.value and field.hint):
        return with_name(label, _("not stated"))
    return with_name(label, _("write it like %(example)s") % {"example": field.hint})
