#!/bin/sh
# Stands for the program of every provider: keeps one machine in files of $FAKE, and does as its files say.
#   calls      how it was called          machine   "NAME STATE", while one is rented
#   fails-X    X (rent, list, delete) fails so many times     late      so many lists do not show it yet
#   logged-out nothing but failing: nobody is logged in        (lists before a machine was asked for are not counted)
set -eu
cd "$FAKE"
program=$(basename "$0")
echo "$program $*" | head -n 1 >>calls
! [ -e logged-out ] || exit 1

fails() { # whether this time it does
    [ -e "fails-$1" ] || return 1
    left=$(cat "fails-$1")
    [ "$left" -gt 0 ] || return 1
    echo $((left - 1)) >"fails-$1"
}

show() {
    [ -e machine ] || return 0
    if [ -e late ] && [ "$(cat late)" -gt 0 ]; then
        echo $(($(cat late) - 1)) >late
        return
    fi
    read -r name state <machine
    case $program in
    hcloud) echo "42   $name   $state" ;;
    vultr-cli) printf 'ID\tIP\tLABEL\tOS\tSTATUS\n42\t192.0.2.1\t%s\tUbuntu 24.04\tactive\n' "$name" ;;
    az) echo "$name" ;;
    gcloud) printf '%s\t%s\n' "$name" "$state" ;;
    *) printf '42\t%s\n' "$state" ;;
    esac
}

case " $* " in
*" group list "* | *" vm list "* | *" list "* | *" describe-instances "*)
    ! { [ -e user-data ] && fails list; } || exit 1
    if [ "$program $1" = "az vm" ]; then echo "VM running"; else show; fi
    ;;
*" group create "*) ;;
*" create "* | *" run-instances "*)
    name=$(printf '%s\n' "$*" | grep -o 'fsyncmark-[0-9a-f]\{12\}' | head -n 1)
    cp "$TMPDIR"/*/user-data user-data
    [ -e no-machine ] || echo "$name running" >machine
    ! fails rent || exit 1
    echo "root password: not for a log"
    ;;
*" delete "* | *" terminate-instances "*)
    ! fails delete || exit 1
    read -r name _ <machine
    case " $* " in
    *" 42 "* | *" $name "*) rm machine ;;
    *) exit 3 ;;
    esac
    ;;
*) exit 64 ;;
esac
