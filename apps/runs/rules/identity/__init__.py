"""Rules about what was measured: whether claim, machine, drive and network agree on it."""

from typing import Final

# What of a machine is not as a plan is sold, by the kind of conflict of `apps.plans.placement`.
MACHINE_CASES: Final = {
    "architecture": "{plan} is {sold}; the machine is {shown}.",
    "dedicated": "{plan} is a dedicated server; the system runs under {shown}.",
    "virtual": "{plan} is a virtual machine; the system runs on bare metal.",
    "processors": "{plan} has {sold} vCPUs; the machine shows {shown}.",
    "memory": "{plan} has {sold_milli:of_1000} GB of memory; the machine shows "
    "{shown_bytes:gib} GiB.",
}
# What the catalogue does not list for a plan, by the kind of conflict.
_LISTED: Final = "The catalogue lists {listed} for {plan}; the run has {shown}."
LIST_CASES: Final = {"drive": _LISTED, "region": _LISTED}
# The network of the upload against the provider, by who names it.
_NETWORK: Final = "The run names {named}; the upload came from a network of {network}."
NETWORK_CASES: Final = {
    f"elsewhere-{teller}": _NETWORK for teller in ("claim", "firmware", "metadata")
}
