"""Rules about what was measured: whether claim, machine, drive and network agree on it."""

from typing import Final

# What of a machine is not as a plan is sold, by the kind of conflict of `apps.plans.placement`.
MACHINE_CASES: Final = {
    "architecture": "{plan} is {sold}; the machine is {shown}.",
    "dedicated": "{plan} is a dedicated server; the system runs under {shown}.",
    "virtual": "{plan} is a virtual machine; the system runs on bare metal.",
    "processors": "{plan} has {sold} vCPUs; the machine shows {shown}.",
    "memory": "{plan} has {sold_milli:of_1000} GB of memory; the machine shows {shown_bytes:gib}.",
}
# What the catalogue does not list for a plan, by the kind of conflict.
LIST_CASES: Final = {
    "drive": "The catalogue names {listed} as the drive of {plan}; the machine has {shown}.",
    "region": "The catalogue names {listed} as regions of {plan}; the run is from {shown}.",
}
# The network of the upload against the provider, by who names it.
NETWORK_CASES: Final = {
    "elsewhere-claim": "The claim says {named}; the upload came from a network of {network}. "
    "It may have been sent later, from elsewhere or by way of there.",
    "elsewhere-firmware": "The firmware names {named}; the upload came from a network of "
    "{network}. It may have been sent later, from elsewhere or by way of there.",
    "elsewhere-metadata": "The cloud's metadata names {named}; the upload came from a network "
    "of {network}. It may have been sent later, from elsewhere or by way of there.",
}
