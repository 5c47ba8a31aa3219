"""The words of the values by which boards are filtered; the values themselves are `query`'s."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.drives.models import PowerLossProtection
from apps.pages.show.table.query import CURRENCIES, NOT_STATED
from apps.plans.models import StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence

Words = str | Promise
Choices = tuple[tuple[str, Words], ...]  # value in the address, and words

PLP_CHOICES: Choices = (
    (PowerLossProtection.FULL.value, _("with")),
    (PowerLossProtection.PARTIAL.value, _("partial")),
    (PowerLossProtection.NONE.value, _("without")),
    (PowerLossProtection.UNKNOWN.value, _("not stated")),
)
STORAGE_CHOICES: Choices = (
    (StorageKind.LOCAL_NVME.value, _("local NVMe")),
    (StorageKind.LOCAL_SATA.value, _("local SATA")),
    (StorageKind.NETWORK.value, _("network")),
    (StorageKind.HDD.value, _("hard disk")),
    (NOT_STATED, _("not stated")),
)
INTERFACE_CHOICES: Choices = (
    ("nvme", "NVMe"),
    ("sata", "SATA"),
    ("sas", "SAS"),
    ("network", _("network")),
    ("virtio", "virtio"),
)
KIND_CHOICES: Choices = (
    ("dedicated", _("dedicated server")),
    ("vps", _("VPS")),
    ("cloud", _("cloud instance")),
    ("volume", _("block volume")),
    ("managed", _("managed service")),
    ("home", _("machine of one's own")),
    (NOT_STATED, _("not stated")),
)
# The names of groups are texts of `catalogue_texts`, which hands them to translators.
REGION_CHOICES: Choices = (
    *((group, _(name)) for group, name in GROUPS.items()),
    (NOT_STATED, _("not stated")),
)
EVIDENCE_CHOICES: Choices = (
    (Evidence.MEASURED.value, _("measured")),
    (Evidence.PUBLISHED.value, _("published")),
    (Evidence.EXAMPLE.value, _("example")),
)
CURRENCY_CHOICES: Choices = tuple((code, code) for code in CURRENCIES)
