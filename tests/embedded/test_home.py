"""Data and passwords lie where only the right accounts reach them."""

from __future__ import annotations

import stat
from pathlib import Path

from apps.embedded.account import Account
from apps.embedded.home import is_ours, servers_home, stored_password, write_private


def test_a_password_is_made_once_and_only_we_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "password"
    first = stored_password(path)
    assert len(first) == 32
    assert stored_password(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(stored_password(tmp_path / "longer", count=48)) == 64


def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old and longer", encoding="utf-8")
    path.chmod(0o644)
    write_private(path, "new", owner=Account.current())
    assert path.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_our_own_account_keeps_its_data_in_the_checkout(tmp_path: Path) -> None:
    home = servers_home(tmp_path / "var", account=Account.current())
    assert home == tmp_path / "var" / "servers"


def test_a_directory_that_others_may_write_to_or_that_is_a_link_is_not_ours(
    tmp_path: Path,
) -> None:
    directory, link = tmp_path / "directory", tmp_path / "link"
    directory.mkdir(mode=0o755)
    link.symlink_to(directory)
    assert is_ours(directory)
    assert not is_ours(link)
    assert not is_ours(tmp_path / "missing")
    directory.chmod(0o777)
    assert not is_ours(directory)
