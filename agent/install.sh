#!/bin/sh
# Installs fsyncmark, the agent of @SITE@, for this user alone: no root, nothing else is touched.
#
#   sh install.sh                     into ~/.local/bin
#   sh install.sh run . --yes         and then does `fsyncmark run . --yes`
#   sh install.sh --to DIR            into another folder
#   sh install.sh --dry-run           says what it would do
#   sh install.sh --version           says which agent it installs
#   sh install.sh --uninstall         removes the program; its key and results stay
#
# What it fetches must have the SHA-256 that is written here, else nothing is kept and nothing runs. Where
# OpenSSL 3 is installed and this site signs its releases, the signature is checked too.
set -eu

site='@SITE@'
files='@FILES@'
version='@VERSION@'
sums='@SUMS@'
key='@KEY@'

say() { printf 'fsyncmark: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

target_of_this_machine() {
    case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    riscv64) machine=riscv64gc ;;
    *) machine=$(uname -m) ;;
    esac
    case $(uname -s) in
    Linux) echo "$machine-unknown-linux-musl" ;;
    Darwin) echo "$machine-apple-darwin" ;;
    *) echo "$machine-$(uname -s)" ;;
    esac
}

# fetch URL FILE: over https alone where the site is on https
fetch() {
    case $site in
    https:*) secure="--proto =https --tlsv1.2" ;;
    *) secure= ;;
    esac
    if has curl; then
        # shellcheck disable=SC2086  # words of its own
        curl $secure -fsSL -o "$2" "$1"
    elif has wget; then
        wget -q -O "$2" "$1"
    else
        fail "neither curl nor wget is here. Install one of them, or fetch $1 yourself."
    fi
}

sha256_of() {
    if has sha256sum; then
        sha256sum <"$1"
    elif has shasum; then
        shasum -a 256 <"$1"
    elif has openssl; then
        openssl dgst -sha256 -r <"$1"
    else
        fail "none of sha256sum, shasum and openssl is here, so nothing can be checked. Install one of them."
    fi | cut -c1-64
}

# the checksum that is written above for a file; nothing for others
sum_of() {
    printf '%s\n' "$sums" | sed -n "s/  $1\$//p"
}

# Says on stdout what was checked, and ends the script where the signature is wrong.
check_signature() {
    if [ -z "$key" ]; then
        echo "SHA-256; this site signs no releases"
    elif ! has openssl || ! openssl version | grep -q '^OpenSSL [3-9]'; then
        echo "SHA-256; not the signature, as OpenSSL 3 is not here"
    else
        fetch "$files/SHA256SUMS" "$work/SHA256SUMS" || fail "$files/SHA256SUMS cannot be fetched."
        fetch "$files/SHA256SUMS.sig" "$work/sig" || fail "$files/SHA256SUMS.sig cannot be fetched."
        printf '%s\n' "$key" >"$work/key.pem"
        openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/SHA256SUMS" \
            -sigfile "$work/sig" >/dev/null 2>&1 ||
            fail "the signature of $files/SHA256SUMS is wrong. Nothing was installed; please report it."
        grep -qx "$sum  $name" "$work/SHA256SUMS" ||
            fail "the signed checksums name another $name. Nothing was installed; please report it."
        echo "SHA-256 and the signature of the release"
    fi
}

install() {
    name=fsyncmark-$(target_of_this_machine)
    sum=$(sum_of "$name")
    if [ -z "$sum" ] && [ "$(uname -s)" = Darwin ]; then
        sum=$(sum_of fsyncmark-universal-apple-darwin)
        [ -z "$sum" ] || name=fsyncmark-universal-apple-darwin
    fi
    [ -n "$sum" ] || fail "no binary for this machine ($name). There are: $(printf '%s\n' "$sums" |
        sed 's/.*  //' | tr '\n' ' ')- building one takes a minute: $site/measure/"
    if $dry; then
        say "would fetch $files/$name, check that its SHA-256 is $sum, and install it as $program"
        return
    fi
    mkdir -p "$folder" || fail "$folder cannot be made. Choose another folder: --to DIR"
    work=$(mktemp -d "$folder/.fsyncmark.XXXXXX") || fail "$folder cannot be written. Choose another: --to DIR"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    fetch "$files/$name" "$work/fsyncmark" || fail "$files/$name cannot be fetched."
    found=$(sha256_of "$work/fsyncmark")
    [ "$found" = "$sum" ] || fail "what came from $files/$name has SHA-256 $found instead of $sum." \
        "Nothing was installed. Try again; if it stays, please report it."
    checked=$(check_signature)
    chmod 0755 "$work/fsyncmark"
    mv -f "$work/fsyncmark" "$program"
    say "$version installed as $program. Checked: $checked."
    case "$folder::$PATH:" in
    .::*) ;; # as ./fsyncmark
    *":$folder:"*) ;;
    *) say "To call it by its name: export PATH=\"$folder:\$PATH\"" ;;
    esac
}

main() {
    folder=${FSYNCMARK_INSTALL_DIR:-${HOME:-}/.local/bin}
    dry=false
    uninstall=false
    while [ $# -gt 0 ]; do
        case $1 in
        --to)
            [ $# -gt 1 ] || fail "--to needs a folder"
            folder=$2
            shift
            ;;
        --dry-run) dry=true ;;
        --uninstall) uninstall=true ;;
        --version)
            echo "fsyncmark $version"
            return
            ;;
        --help | -h)
            echo "sh install.sh [--to DIR] [--dry-run] [--version] [--uninstall] [VERB of fsyncmark ...]"
            return
            ;;
        -*) fail "no option $1. There are --to DIR, --dry-run, --version, --uninstall." ;;
        *) break ;;
        esac
        shift
    done
    program=$folder/fsyncmark
    if $uninstall; then
        rm -f "$program"
        say "$program is gone. Key, results and history stay in ~/.config and ~/.local/state, of root in /etc and /var/lib."
        return
    fi
    install
    if $dry || [ $# -eq 0 ]; then
        return
    fi
    rm -rf "$work"
    # Through a pipe the script is stdin, and the agent asks on the terminal.
    if [ -r /dev/tty ] && (: </dev/tty) 2>/dev/null; then
        exec "$program" "$@" </dev/tty
    fi
    exec "$program" "$@" </dev/null
}

# On the last line, so that of a script that came in half nothing is done.
main "$@"
