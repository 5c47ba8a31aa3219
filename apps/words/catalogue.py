"""The words for values of rows: kinds of plans and storage, interfaces, protection, evidence.

Rows hold the value, these tables its words, once for filters, columns, facts and forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from apps.drives.models import PowerLossProtection
from apps.plans.models import HOME_KIND, VIRTUAL_MACHINES, VPS, StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    ValueWords = Mapping[str, StrOrPromise]  # by the value that a row holds

PLAN_KINDS: Final[ValueWords] = {
    "dedicated": _("dedicated server"),
    "vps": _("VPS"),
    "cloud": _("cloud instance"),
    "volume": _("block volume"),
    "managed": _("managed service"),
    HOME_KIND: _("machine of one's own"),
}
# By which one chooses: what one rents as a virtual machine is one kind.
CHOSEN_KINDS: Final[ValueWords] = {
    kind: _("VPS or cloud instance") if kind == VPS else words
    for kind, words in PLAN_KINDS.items()
    if kind == VPS or kind not in VIRTUAL_MACHINES
}
STORAGE_KINDS: Final[ValueWords] = {
    StorageKind.LOCAL_NVME.value: _("local NVMe"),
    StorageKind.LOCAL_SATA.value: _("local SATA"),
    StorageKind.NETWORK.value: _("network storage"),
    StorageKind.HDD.value: _("hard disk"),
}
# Whom a drive family is made for.
SEGMENTS: Final[ValueWords] = {
    "consumer": _("consumers"),
    "prosumer": _("workstations"),
    "client": _("office machines"),
    "datacenter": _("datacenters"),
    "cloud": _("clouds"),
}
INTERFACES: Final[ValueWords] = {
    "nvme": "NVMe",
    "sata": "SATA",
    "sas": "SAS",
    "dimm": "DIMM",
    "network": _("network"),
    "virtio": "virtio",
}
# With or without power-loss protection, under a head that names it.
PROTECTION: Final[ValueWords] = {
    PowerLossProtection.FULL.value: _("with"),
    PowerLossProtection.PARTIAL.value: _("partial"),
    PowerLossProtection.NONE.value: _("without"),
    PowerLossProtection.UNKNOWN.value: _("not stated"),
}
EVIDENCE: Final[ValueWords] = {
    Evidence.MEASURED.value: _("measured"),
    Evidence.LAB.value: _("laboratory"),
    Evidence.PUBLISHED.value: _("published"),
    Evidence.EXAMPLE.value: _("example"),
}
# `catalogue_texts` of the pages hands the names of groups to translators.
REGION_GROUPS: Final[ValueWords] = {group: _(name) for group, name in GROUPS.items()}
