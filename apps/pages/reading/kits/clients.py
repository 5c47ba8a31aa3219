"""The command-line clients of the providers: how each rents, lists and deletes one machine.

Each is a row of three pieces of shell, for the functions `rent`, `list` and `delete` of
`texts/rent.sh`. They know $name, $type, $region, $zone, $arch and the file $work/user-data. `list`
prints a line for each machine, and `pick`, which is awk's, makes of those named so "ID STATE". None
has been tried with an account: tests run them against stand-ins of these programs. AWS's own was
run against moto, which plays EC2; the words of Linode's and OpenStack's were read from their help.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_IN_BRACKETS: Final = re.compile(r"\(([^()]+)\)$")  # "Dedicated 4GB (g6-dedicated-2)"


_FIRST_TWO: Final = "NF { print $1, $2 }"


def _as_listed(name: str) -> str:
    return name


def _in_brackets(name: str) -> str:
    found = _IN_BRACKETS.search(name)
    return found[1] if found else name


@dataclass(frozen=True, slots=True)
class Client:
    """A provider's own program, and what it is told."""

    program: str
    home: str  # where it comes from
    rent: str
    list: str
    delete: str
    pick: str = _FIRST_TWO
    type_of: Callable[[str], str] = _as_listed  # of the plan's name, what the program calls it
    architectures: tuple[str, str] = ("amd64", "arm64")  # of its images: for x86-64, for arm64
    zones: str = ""  # what it takes behind the name of a region, as a pattern
    question: str = "type"  # what the agent asks the cloud: proof, where that is signed


CLIENTS: Final = {
    "akamai-linode": Client(
        "linode-cli",
        "https://techdocs.akamai.com/cloud-computing/docs/cli",
        rent="""\
linode-cli linodes create --no-defaults --label "$name" --type "$type" --region "$region" \\
    --image linode/ubuntu24.04 --root_pass "$(hex 32)" \\
    --metadata.user_data "$(base64 <"$work/user-data" | tr -d '\\n')\"""",
        list="""\
linode-cli linodes list --label "$name" --text --no-headers --delimiter ' ' --format id,status""",
        delete="""\
linode-cli linodes delete "$1\"""",
        type_of=_in_brackets,
    ),
    "aws": Client(
        "aws",
        "https://aws.amazon.com/cli/",
        # The machine deletes itself when it turns itself off.
        rent="""\
image=/aws/service/canonical/ubuntu/server/24.04/stable/current/$arch/hvm/ebs-gp3/ami-id
aws ec2 run-instances --region "$region" --image-id "resolve:ssm:$image" \\
    --instance-type "$type" --instance-initiated-shutdown-behavior terminate \\
    --user-data "file://$work/user-data" --tag-specifications \\
    "ResourceType=instance,Tags=[{Key=Name,Value=$name},{Key=fsyncmark,Value=kit}]\"""",
        list="""\
aws ec2 describe-instances --region "$region" --output text \\
    --filters "Name=tag:Name,Values=$name" \\
    Name=instance-state-name,Values=pending,running,stopping,stopped \\
    --query 'Reservations[].Instances[].[InstanceId,State.Name]'""",
        delete="""\
aws ec2 terminate-instances --region "$region" --instance-ids "$1\"""",
        question="proof",
    ),
    "digitalocean": Client(
        "doctl",
        "https://docs.digitalocean.com/reference/doctl/",
        rent="""\
doctl compute droplet create "$name" --size "$type" --region "$region" \\
    --image ubuntu-24-04-x64 --tag-name "$name" --user-data-file "$work/user-data\"""",
        list="""\
doctl compute droplet list --tag-name "$name" --no-header --format ID,Status""",
        delete="""\
doctl compute droplet delete "$1" --force""",
    ),
    "google-cloud": Client(
        "gcloud",
        "https://cloud.google.com/sdk/docs/install",
        zones="(?:-[a-z])?",
        # Google deletes the machine after that time, whatever happens here.
        rent="""\
gcloud compute instances create "$name" --quiet --zone "$zone" --machine-type "$type" \\
    --image-project ubuntu-os-cloud --image-family "ubuntu-2404-lts-$arch" --no-scopes \\
    --metadata-from-file "user-data=$work/user-data" --labels fsyncmark=kit \\
    --max-run-duration 40m --instance-termination-action DELETE""",
        list="""\
gcloud compute instances list --quiet --filter "name=$name" --format 'value(name,status)'""",
        delete="""\
gcloud compute instances delete "$1" --quiet --zone "$zone\"""",
        question="proof",
    ),
    "hetzner": Client(
        "hcloud",
        "https://github.com/hetznercloud/cli",
        rent="""\
hcloud server create --name "$name" --type "$type" --location "$region" --image ubuntu-24.04 \\
    --label fsyncmark=kit --user-data-from-file "$work/user-data\"""",
        list="""\
hcloud server list -o noheader -o columns=id,name,status""",
        delete="""\
hcloud server delete "$1\"""",
        pick="$2 == name { print $1, $3 }",
        type_of=str.lower,
    ),
    "microsoft-azure": Client(
        "az",
        "https://learn.microsoft.com/cli/azure/install-azure-cli",
        # All that is made is in a group of its own, and goes with it. Its key is thrown away.
        rent="""\
ssh-keygen -q -t rsa -b 3072 -N '' -f "$work/key" || return 1
az group create --name "$name" --location "$region" --tags fsyncmark=kit || return 1
image=$([ "$arch" = arm64 ] && echo server-arm64 || echo server)
az vm create --resource-group "$name" --name "$name" --size "$type" \\
    --image "Canonical:ubuntu-24_04-lts:$image:latest" --admin-username fsyncmark \\
    --ssh-key-values "$work/key.pub" --custom-data "$work/user-data\"""",
        list="""\
group=$(az group list --query "[?name=='$name'].name" --output tsv) || return 1
[ -z "$group" ] || echo "$group" "$(az vm list --resource-group "$group" --show-details \\
    --query '[].powerState' --output tsv)\"""",
        delete="""\
az group delete --name "$1" --yes""",
        pick="NF",
    ),
    "ovhcloud": Client(
        "openstack",
        "https://docs.openstack.org/python-openstackclient/",
        zones=r"\d*",
        rent="""\
openstack --os-region-name "$(upper "$region")" server create --flavor "$type" \\
    --image 'Ubuntu 24.04' --network Ext-Net --property fsyncmark=kit \\
    --user-data "$work/user-data" "$name\"""",
        list="""\
openstack --os-region-name "$(upper "$region")" server list --name "^$name\\$" \\
    --format value --column ID --column Status""",
        delete="""\
openstack --os-region-name "$(upper "$region")" server delete --wait "$1\"""",
    ),
    "scaleway": Client(
        "scw",
        "https://github.com/scaleway/scaleway-cli",
        zones=r"-\d",
        # Its images have 10 GB, and the files of the suite 9.
        rent="""\
scw instance server create "name=$name" "type=$type" "zone=$region" image=ubuntu_noble \\
    root-volume=sbs:20GB tags.0=fsyncmark "cloud-init=@$work/user-data\"""",
        list="""\
scw instance server list "name=$name" "zone=$region" -o 'template={{ .ID }} {{ .State }}'""",
        delete="""\
scw instance server delete "$1" "zone=$region" with-volumes=all with-ip=true force-shutdown=true""",
    ),
    "vultr": Client(
        "vultr-cli",
        "https://github.com/vultr/vultr-cli",
        # 2284 is Ubuntu 24.04 at Vultr.
        rent="""\
vultr-cli instance create --label "$name" --plan "$type" --region "$region" --os 2284 \\
    --userdata "$(cat "$work/user-data")\"""",
        list="""\
vultr-cli instance list --per-page 500""",
        delete="""\
vultr-cli instance delete "$1\"""",
        pick='{ for (at = 2; at <= NF; at++) if ($at == name) print $1, "rented" }',
    ),
}  # fmt: skip
