#!/bin/sh
# Measures this machine's disk once, sends the result to @NETLOC@ under CC0, and turns the machine off. It holds
# no key and no password: user data is readable by every process here.
set -eu
site=@SITE@
files=@FILES@
sums=@SUMS@
provider=@PROVIDER@
plan=@PLAN@
region=@REGION@
disk=@DISK@@TICKET@
run_id=

trap 'poweroff' EXIT
trap 'exit 1' INT TERM HUP
shutdown --no-wall +@MINUTES@ # whatever happens below

fetch() {
    if command -v curl >/dev/null 2>&1; then
        curl @SECURE@-fsSL --retry 5 --retry-delay 5 -o "$2" "$1"
    else
        wget -q --tries=5 -O "$2" "$1"
    fi
}

place=${FSYNCMARK_PLACE:-/var/lib/fsyncmark/kit}
mkdir -p "$place/data"
cd "$place"
name=fsyncmark-$(uname -m)-unknown-linux-musl
sum=$(printf '%s\n' "$sums" | sed -n "s/  $name\$//p")
[ -n "$sum" ] # else there is no agent for this machine
fetch "$files/$name" agent
echo "$sum  agent" | sha256sum -c - # of agent @VERSION@; another one never runs
chmod 0700 agent

if [ -n "$disk" ]; then
    # shellcheck disable=SC2086  # a pattern: the first of the disks that the plan is rented for
    set -- $disk
    mkfs.ext4 -q -F "$1"
    mount "$1" data
fi

set -- --server "$site" --provider "$provider" --plan "$plan" --yes
[ -z "$region" ] || set -- "$@" --region "$region"
[ -z "$run_id" ] || set -- "$@" --run-id "$run_id"
./agent run data --suite @SUITE@ --wait-quiet=@WAIT_S@ --ask-cloud=@QUESTION@ "$@" ||
    ./agent upload --server "$site" --yes
