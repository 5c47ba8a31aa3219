"""What clouds sign of their machines, read with certificates of our own making."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from django.core.management import CommandError, call_command

from apps.runs.clouds.certificates import SHIPPED, BadCertificatesError, certificates_of
from apps.runs.clouds.documents import DocumentRefusedError, Sent, SignedPlace, read_document
from tests.support.clouds import Authority

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import Settings

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
CHALLENGE = "c_0123456789"


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority("Root")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings, authority: Authority) -> Path:
    settings.CLOUD_CERTIFICATES = str(tmp_path)
    for cloud, signs in (("aws", "xx-test-1"), ("gcp", "k1"), ("alibaba", "")):
        authority.file(tmp_path, cloud, signs)
    return tmp_path


def sent(document: str, signature: str = "") -> Sent:
    return Sent(document, signature, CHALLENGE, NOW - timedelta(minutes=5), NOW)


def test_aws_signs_type_and_zone_and_nothing_of_ours(folder: Path, authority: Authority) -> None:
    assert read_document("aws", sent(*authority.aws())) == SignedPlace(
        "i-0123456789abcdef0", "xx-test-1a", "t3.micro", is_fresh=False
    )


def test_google_signs_the_zone_and_no_type(folder: Path, authority: Authority) -> None:
    token = authority.google(CHALLENGE, at=NOW - timedelta(minutes=1))
    assert read_document("gcp", sent(token)) == SignedPlace("4711", "xx-test1-b")


def test_alibaba_signs_type_zone_and_challenge(folder: Path, authority: Authority) -> None:
    machine = Authority("A machine", issuer=authority)
    assert read_document("alibaba", sent(*machine.alibaba(CHALLENGE))) == SignedPlace(
        "i-bp1test", "xx-test-1-b", "ecs.t1"
    )


def test_alibabas_signer_may_be_the_certificate_that_is_known(
    folder: Path, authority: Authority
) -> None:
    assert read_document("alibaba", sent(*authority.alibaba(CHALLENGE))).zone == "xx-test-1-b"


def test_alibaba_signs_with_sha_1_and_the_content_inside(
    folder: Path, authority: Authority
) -> None:
    """The form of what its service answers: no certificate and no attribute beside it."""
    document, _ = authority.alibaba(CHALLENGE)
    signature = authority.pkcs7_as_alibaba(f'{document[:-1]},"audience":"{CHALLENGE}"}}')
    assert read_document("alibaba", sent(document, signature)).zone == "xx-test-1-b"
    for other in (document.replace("ecs.t1", "ecs.g9"), document.replace("-b", "-c")):
        with pytest.raises(DocumentRefusedError, match="not-signed"):
            read_document("alibaba", sent(other, signature))


def test_no_certificate_of_google_is_shipped(authority: Authority) -> None:
    assert certificates_of("gcp", at=NOW) == ()
    with pytest.raises(DocumentRefusedError, match="no-certificate"):
        read_document("gcp", sent(authority.google(CHALLENGE, at=NOW)))


def test_alibabas_certificate_is_its_own_and_dated(authority: Authority) -> None:
    (shipped,) = certificates_of("alibaba", at=NOW)
    fingerprint = shipped.certificate.fingerprint(hashes.SHA256()).hex()
    assert fingerprint.startswith("09025956e3895bfd")
    with pytest.raises(DocumentRefusedError, match="not-signed"):
        read_document("alibaba", sent(*authority.alibaba(CHALLENGE)))


def test_amazons_certificates_are_its_own_and_dated() -> None:
    """Each is signed by itself (those with SHA-1 cannot be checked here) and names Amazon."""
    shipped = certificates_of("aws", at=NOW)
    assert len({each.signs for each in shipped}) == len(shipped) > 30
    assert "eu-central-1" in {each.signs for each in shipped}
    for each in shipped:
        assert "Amazon" in each.certificate.issuer.rfc4514_string()
        algorithm = each.certificate.signature_hash_algorithm
        if algorithm is not None and algorithm.name != "sha1":
            each.certificate.verify_directly_issued_by(each.certificate)
    assert "2025-08-11" in (SHIPPED / "aws.toml").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_read_says_which_and_where_to_look(
    tmp_path: Path, settings: Settings
) -> None:
    settings.CLOUD_CERTIFICATES = str(tmp_path)
    (tmp_path / "gcp.toml").write_text('[[certificate]]\nsigns = "k1"\n', encoding="utf-8")
    with pytest.raises(BadCertificatesError, match=r"gcp\.toml: 'read_on'; see docs/self-host"):
        certificates_of("gcp", at=NOW)


def test_a_new_file_is_read_without_a_restart(folder: Path, authority: Authority) -> None:
    assert len(certificates_of("gcp", at=NOW)) == 1
    Authority("Another").file(folder, "gcp", "k2")
    found = certificates_of("gcp", at=NOW)
    assert {each.signs for each in found} == {"k1", "k2"}
    assert isinstance(found[0].certificate, x509.Certificate)


def googles_answer(*authorities: Authority) -> str:
    return json.dumps({f"{index:040x}": each.pem for index, each in enumerate(authorities)})


def test_googles_certificates_of_today_are_taken_over(
    folder: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(googles_answer(authority, Authority("New"))))
    call_command("google_certificates", stdout=io.StringIO())
    token = authority.google(CHALLENGE, at=NOW - timedelta(minutes=1), kid="0" * 40)
    assert read_document("gcp", sent(token)).zone == "xx-test1-b"
    with pytest.raises(DocumentRefusedError, match="no-certificate"):  # yesterday's
        read_document("gcp", sent(authority.google(CHALLENGE, at=NOW)))


@pytest.mark.parametrize("answer", ["", "{}", "[]", '{"00": "no PEM"}', '{"\\"": ""}', '{"00": 1}'])
def test_what_google_does_not_publish_changes_nothing(
    folder: Path, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / "gcp.toml").read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    with pytest.raises(CommandError):
        call_command("google_certificates", stdout=io.StringIO())
    assert (folder / "gcp.toml").read_bytes() == before


def test_googles_certificates_want_a_folder(settings: Settings) -> None:
    settings.CLOUD_CERTIFICATES = ""
    with pytest.raises(CommandError, match="CLOUD_CERTIFICATES"):
        call_command("google_certificates")
