"""`manage.py recognise`: a name for a string, and a count for a list."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests import make

HERE = Path(__file__).parent
KNOWN = HERE / "model_strings.csv"
HELD_OUT = HERE / "held_out_strings.csv"


def recognise(*arguments: str) -> str:
    out = StringIO()
    call_command("recognise", *arguments, stdout=out)
    return out.getvalue()


def checked(path: Path) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(recognise("--csv", str(path)))
    return answer


def a_list(folder: Path, *rows: tuple[str, str]) -> Path:
    path = folder / "list.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("model_string", "family"), *rows])
    return path


def test_each_string_gets_a_line_with_its_family() -> None:
    lines = recognise("Samsung SSD 990 PRO 2TB", "HC Volume", "P3-256").splitlines()
    assert lines == [
        "Samsung SSD 990 PRO 2TB\tSamsung 990 PRO",
        "HC Volume\tHetzner Cloud Volume",
        "P3-256\tno family",
    ]


def test_all_712_known_strings_are_right() -> None:
    assert checked(KNOWN) == {"right": 712, "missed": 0, "wrong": 0, "misses": []}


def test_the_strings_that_were_collected_later_are_right() -> None:
    assert checked(HELD_OUT) == {"right": 100, "missed": 0, "wrong": 0, "misses": []}


def test_the_two_lists_share_no_string() -> None:
    def strings(path: Path) -> set[str]:
        with path.open(newline="", encoding="utf-8") as file:
            return {row["model_string"].lower() for row in csv.DictReader(file)}

    assert not strings(KNOWN) & strings(HELD_OUT)


def test_a_miss_is_told_from_a_mistake(tmp_path: Path) -> None:
    path = a_list(
        tmp_path,
        ("Samsung SSD 990 PRO 2TB", "Samsung 990 PRO"),
        ("Acme Fast", "Acme"),
        ("Samsung SSD 980 PRO 1TB", "Samsung 980"),
        ("Samsung SSD 980 PRO 2TB", ""),
        ("Acme Slow", ""),
    )
    assert checked(path) == {
        "right": 2,
        "missed": 1,
        "wrong": 2,
        "misses": [
            {"model_string": "Acme Fast", "family": "Acme", "found": "", "outcome": "missed"},
            {
                "model_string": "Samsung SSD 980 PRO 1TB",
                "family": "Samsung 980",
                "found": "Samsung 980 PRO",
                "outcome": "wrong",
            },
            {
                "model_string": "Samsung SSD 980 PRO 2TB",
                "family": "",
                "found": "Samsung 980 PRO",
                "outcome": "wrong",
            },
        ],
    }


@pytest.mark.django_db
def test_with_database_the_patterns_of_this_server_decide() -> None:
    make.drive_family(name="Acme Fast", match="^ACME FAST")
    assert recognise("--database", "Acme Fast 1TB") == "Acme Fast 1TB\tAcme Fast\n"
    assert recognise("--database", "HC Volume") == "HC Volume\tno family\n"


def test_without_a_string_or_a_list_it_says_what_it_wants() -> None:
    with pytest.raises(CommandError, match="one or more strings, or --csv FILE"):
        recognise()


@pytest.mark.parametrize("content", [b"name,family\nx,y\n", b"", b"model_string,family\n\xff,x\n"])
def test_what_is_no_list_is_refused_with_the_reason(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=r"list\.csv"):
        checked(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv cannot be read"):
        checked(tmp_path / "none.csv")
