"""The directory with the data of the embedded servers, accessible to the account that runs them."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from pathlib import Path

from apps.embedded.account import Account

FAR_HOME = Path("/var/tmp")  # noqa: S108  used through mkdtemp only; survives a reboot, unlike /tmp
PASSWORD_BYTES = 24  # 192 bits, printed as 32 URL-safe characters


def servers_home(state: Path, *, account: Account) -> Path:
    """Return `state`/servers, or a directory in /var/tmp if the account has no access to that.

    It has none for root with a checkout in /root (mode 0700). mkdtemp makes the other one with
    a random name. Its path is stored in `state`, and its owner is checked at each start.
    """
    state.mkdir(parents=True, exist_ok=True)
    near = state / "servers"
    near.mkdir(exist_ok=True)
    if account.can_enter(near):
        return near
    note = state / "servers-directory"
    if note.exists():
        far = Path(note.read_text(encoding="utf-8").strip())
        if is_ours(far):
            return far
    far = Path(tempfile.mkdtemp(prefix="fsyncmark-", dir=FAR_HOME))
    far.chmod(0o755)
    write_private(note, f"{far}\n")
    return far


def is_ours(directory: Path) -> bool:
    """Whether this is a real directory of ours that nobody else may write to."""
    try:
        facts = directory.lstat()
    except FileNotFoundError:
        return False
    others_write = facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid() and not others_write


def stored_password(path: Path, *, count: int = PASSWORD_BYTES) -> str:
    """Return the password in this file of mode 0600; at first use it gets `count` random bytes."""
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    password = secrets.token_urlsafe(count)
    write_private(path, password)
    return password


def write_private(path: Path, text: str, *, owner: Account | None = None) -> None:
    """Replace a file atomically by one of mode 0600 with this text."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123  Path.open takes no mode
        file.write(text)
    if owner is not None:
        owner.give(partial)
    partial.replace(path)
