#!/bin/sh
# Rents Hetzner CX23 in fsn1 with your own hcloud, measures its disk, and deletes it.
#
#   sh FILE          says the price and asks
#   sh FILE --yes    does not ask
#
# About €0.36: an hour at €0.360 an hour in fsn1, list price of 2026-11-01.
# Tax, address and system disk come on top where the provider bills them. hcloud has to be logged in here; no
# password or token of yours is read by this script or sent to bench.example.org. Made by https://bench.example.org.
set -eu
(: >&2) || exec 2>/dev/null # where it is closed, programs would take the first file that they open for it
site='https://bench.example.org'
what='Hetzner CX23 in fsn1'
price='€0.36'
basis='an hour at €0.360 an hour in fsn1, list price of 2026-11-01'
type='cx23'
region='fsn1'
question='type'
files='https://bench.example.org/measure/download'
sums='4cc586adfd36346949cca5f7a9978487a48b42fd0e5929d4c5ea12663a66a0e4  fsyncmark-x86_64-unknown-linux-musl'
wait_s=2400 # for the result; then the machine is deleted unmeasured
pause=${FSYNCMARK_PAUSE:-15}

# Whether anybody reads it or not.
say() { printf 'fsyncmark: %s\n' "$*" >&2 || :; }
fail() {
    say "$*"
    exit 1
}
upper() { printf '%s\n' "$1" | tr '[:lower:]' '[:upper:]'; }
hex() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }

# The three things that are different at every provider. A machine is found by its name alone: what was
# made although `rent` failed is found too.
rent() {
    hcloud server create --name "$name" --type "$type" --location "$region" --image ubuntu-24.04 \
        --label fsyncmark=kit --user-data-from-file "$work/user-data"
}
list() {
    hcloud server list -o noheader -o columns=id,name,status
}
delete() {
    hcloud server delete "$1"
}

# "ID STATE" of each machine of that name. What cannot be listed fails: it is not believed to be gone.
machines() {
    listed=$(list) || return 1
    printf '%s\n' "$listed" | awk -v name="$name" '$2 == name { print $1, $3 }'
}

get() {
    if command -v curl >/dev/null 2>&1; then
        curl -fsS --max-time 20 "$1" 2>/dev/null
    else
        wget -q -T 20 -O - "$1" 2>/dev/null
    fi
}
has_arrived() { get "$site/api/v1/runs/$run_id" >/dev/null; }

# Whether the site still hands out what the machine would fetch and check.
is_newest() {
    printf '%s\n' "$sums" | while read -r sum name; do
        printf '%s\n' "$newest" | grep -q "^$sum [ *]$name\$" || exit 1
    done
}

# What would be paid for in vain is found here.
check_before() {
    newest=$(get "$files/SHA256SUMS") || fail "bench.example.org does not answer. Nothing was rented."
    is_newest || fail "this script is older than the site's agent: fetch it again. Nothing was rented."
    machines >/dev/null || fail "hcloud cannot list machines here: log in first. Nothing was rented."
}

# Until nothing of that name is there, three times in a row: a list may be behind what was ordered.
delete_all() {
    status=$?
    set +e
    trap - EXIT
    trap '' INT TERM HUP QUIT PIPE
    rm -rf "$work"
    looks=0
    gone=0
    while $is_rented && [ "$gone" -lt 3 ]; do
        looks=$((looks + 1))
        if [ "$looks" -gt 40 ]; then
            say "STILL RENTED, and it costs money: $name. Delete it by hand, in the provider's console too."
            exit 70
        fi
        if found=$(machines) && [ -z "$found" ]; then
            gone=$((gone + 1))
        else
            gone=0
            for id in $(printf '%s\n' "${found:-}" | cut -d' ' -f1); do
                delete "$id" >/dev/null || say "$id could not be deleted yet"
            done
        fi
        sleep "$pause"
    done
    if $is_rented; then
        say "$name is deleted."
    fi
    exit "$status"
}

agree() {
    say "this rents $what and deletes it again: about $price ($basis)."
    say "If this computer stops before the end, delete $name yourself."
    [ "$question" = type ] || say "What hcloud's cloud signed of the machine is sent too; it names your account."
    [ "${1:-}" = --yes ] && return
    printf 'Rent it, and publish the result under CC0? [y/N] ' >&2
    read -r answer </dev/tty || answer=
    case $answer in
    y | Y | yes) ;;
    *) fail "nothing was rented." ;;
    esac
}

wait_for_run() {
    off=0
    while ! has_arrived; do
        [ "$(date +%s)" -lt "$deadline" ] || fail "no result came in time."
        found=$(machines) || found='? unknown'
        case $found in
        '' | *[Oo][Ff][Ff]* | *offline* | *stopp* | *STOPP* | *TERMINATED* | *deallocat*) off=$((off + 1)) ;;
        *) off=0 ;;
        esac
        # The result may be a moment behind the end of the machine, and a new one is off at first.
        [ "$off" -lt 8 ] || fail "the machine ended without a result."
        sleep "$pause"
    done
    say "measured: $site/runs/$run_id/"
}

main() {
    command -v hcloud >/dev/null || fail "hcloud is not here: https://github.com/hetznercloud/cli"
    name=fsyncmark-$(hex 6)
    # A UUID of version 7, by which the run is found at the site.
    time=$(printf '%012x' "$(date +%s)000")
    tail=$(hex 8)
    run_id=$(echo "$time" | cut -c1-8)-$(echo "$time" | cut -c9-12)-7$(echo "$tail" | cut -c1-3)
    run_id=$run_id-8$(echo "$tail" | cut -c4-6)-$(hex 6)
    agree "$@"
    check_before
    is_rented=false
    work=$(mktemp -d)
    trap delete_all EXIT
    trap 'exit 130' INT TERM HUP QUIT PIPE
    sed "s/^\( *run_id=\)\$/\1$run_id/" >"$work/user-data" <<'USER_DATA'
#cloud-config
# Hetzner CX23: measures the disk, sends the result to bench.example.org, and turns the machine off.
# Where only deletion ends the price, delete it then.
write_files:
  - path: /run/fsyncmark/kit.sh
    permissions: "0700"
    content: |
      #!/bin/sh
      # Measures this machine's disk once, sends the result to bench.example.org under CC0, and turns the machine off. It holds
      # no key and no password: user data is readable by every process here.
      set -eu
      site='https://bench.example.org'
      files='https://bench.example.org/measure/download'
      sums='4cc586adfd36346949cca5f7a9978487a48b42fd0e5929d4c5ea12663a66a0e4  fsyncmark-x86_64-unknown-linux-musl'
      provider='Hetzner'
      plan='CX23'
      region='fsn1'
      disk=''
      run_id=

      trap 'poweroff' EXIT
      trap 'exit 1' INT TERM HUP
      shutdown --no-wall +30 # whatever happens below

      fetch() {
          if command -v curl >/dev/null 2>&1; then
              curl --proto '=https' --tlsv1.2 -fsSL --retry 5 --retry-delay 5 -o "$2" "$1"
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
      echo "$sum  agent" | sha256sum -c - # of agent 0.2.0-dev; another one never runs
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
      ./agent run data --suite standard --wait-quiet=300 --ask-cloud=type "$@" ||
          ./agent upload --server "$site" --yes
runcmd: # by sh: nothing may be executed below /run
  - [systemd-run, --no-block, --collect, --unit=fsyncmark, /bin/sh, /run/fsyncmark/kit.sh]
USER_DATA
    is_rented=true
    deadline=$(($(date +%s) + wait_s))
    rent >/dev/null || fail "hcloud could not rent $what."
    say "$name is rented; its run will be $site/runs/$run_id/"
    wait_for_run
}

# On the last line, so that of a script that came in half nothing is done.
main "$@"
