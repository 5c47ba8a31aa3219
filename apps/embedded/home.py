"""The directory of the embedded servers' data, where the account that runs them reaches it."""

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
    """`state`/servers, or a directory in /var/tmp when the account cannot pass through ours.

    The second is the case of root with a checkout in /root (mode 0700): the far directory is made
    with a random name by mkdtemp, its path kept in `state`, and its owner checked at each start.
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
    """Whether this is a real directory that we own and nobody else may write to."""
    try:
        facts = directory.lstat()
    except FileNotFoundError:
        return False
    others_write = facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid() and not others_write


def kept_password(path: Path, *, count: int = PASSWORD_BYTES) -> str:
    """The password in this file, which only we may read; at first use `count` random bytes."""
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    password = secrets.token_urlsafe(count)
    write_private(path, password)
    return password


def write_private(path: Path, text: str, *, owner: Account | None = None) -> None:
    """Replace a file in one step by one of mode 0600 with this text."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123  Path.open takes no mode
        file.write(text)
    if owner is not None:
        owner.give(partial)
    partial.replace(path)
