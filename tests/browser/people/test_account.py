"""A person in a browser: signs up, links a passkey, signs in with it and with other providers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page, expect

from tests import make
from tests.browser.test_site import assert_good_as_it_stands
from tests.support.accounts.people import CODE, PASSWORD, claim, make_person

if TYPE_CHECKING:
    from tests.support.accounts.identity_provider import IdentityProvider
    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser
ENTRANCE: Final = ("/account/login/", "/account/signup/", "/account/password/reset/")
INSIDE: Final = (
    "/account/", "/account/runs/", "/account/email/", "/account/password/change/",
    "/account/factors/", "/account/connected/", "/account/sessions/", "/account/data/",
    "/account/logout/",
)  # fmt: skip
# not "/", whose field for outputs is a form: its token is a cookie for everybody
SHARED: Final = ("/plans/", "/runs/", "/method/", "/about/", "/compare/")
COOKIES: Final = re.compile("set-cookie", re.IGNORECASE)


def on_localhost(tab: BrowserPage) -> BrowserPage:
    """Return the tab with the site by a name: no passkey is made for an address of figures."""
    tab.site_url = tab.site_url.replace("127.0.0.1", "localhost")
    return tab


def sign_in(tab: BrowserPage, user: User) -> Page:
    page = tab.open("/account/login/")
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    return page


def confirm(page: Page) -> None:
    """Say once more that it is them, where that is asked."""
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def an_hour_later(page: Page) -> None:
    """Let an hour be gone since they said that it is them."""
    cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    session = SessionStore(cookies[settings.SESSION_COOKIE_NAME])
    for record in session["account_authentication_methods"]:
        record["at"] -= 3_600
    session.save()


def virtual_authenticator(page: Page) -> None:
    """A device that holds passkeys and always knows its owner, by Chromium's own protocol."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.mark.parametrize("prefix", ["", "/zh-hans"], ids=["en", "zh"])
def test_the_entrance_is_accessible_and_fits(browser_page: BrowserPage, prefix: str) -> None:
    for address in ENTRANCE:
        browser_page.open(prefix + address)
        assert_good_as_it_stands(browser_page, address)


@pytest.mark.parametrize(
    "prefix",
    [pytest.param("", id="en"), pytest.param("/zh-hans", id="zh", marks=pytest.mark.daily)],
)
def test_every_page_of_a_person_is_accessible_and_fits(
    browser_page: BrowserPage, prefix: str
) -> None:
    user = make_person()
    upload = make.upload(state="done")
    claim(upload.key, user)
    run = make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload)
    make.measurement(run=run)
    sign_in(browser_page, user)
    things = (f"keys/{upload.key_id}/", f"machines/{run.machine}/", f"runs/{run.pk}/")
    for address in (*INSIDE, *(f"/account/{each}" for each in things)):
        page = browser_page.open(prefix + address)
        assert urlsplit(page.url).path == prefix + address
        assert_good_as_it_stands(browser_page, address)


def test_somebody_signs_up_with_the_code_of_a_mail(
    browser_page: BrowserPage, mail_folder: Path
) -> None:
    page = browser_page.open("/account/signup/")
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password").fill("an entirely new phrase")
    page.get_by_label("I agree to the terms").check()
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_text("ada@example.org")).to_be_visible()
    (written,) = mail_folder.iterdir()
    code = CODE.search(written.read_text(encoding="utf-8"))
    assert code
    page.get_by_label("Code").fill(code[1])
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    assert EmailAddress.objects.get(email="ada@example.org").verified


def test_a_shared_page_sets_no_cookie_for_who_is_signed_in(browser_page: BrowserPage) -> None:
    sign_in(browser_page, make_person())
    heads: dict[str, str] = {}
    browser_page.page.on(
        "response", lambda each: heads.update({each.url: " ".join(each.all_headers())})
    )
    for address in SHARED:
        page = browser_page.open(address)
        expect(page.get_by_role("link", name="Your account")).to_have_count(1)
    assert set(SHARED) <= {urlsplit(url).path for url in heads}
    assert not [url for url, names in heads.items() if COOKIES.search(names)]


def test_a_passkey_is_made_and_signs_in(browser_page: BrowserPage) -> None:
    user = make_person()
    tab = on_localhost(browser_page)
    page = sign_in(tab, user)
    virtual_authenticator(page)
    tab.open("/account/factors/webauthn/add/")
    confirm(page)
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert Authenticator.objects.filter(user=user, type="webauthn").count() == 1
    tab.open("/account/factors/webauthn/")
    expect(page.get_by_role("link", name="Rename")).to_be_visible()
    tab.open("/account/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    tab.open("/account/login/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def test_a_passkey_that_the_browser_refuses_says_why(browser_page: BrowserPage) -> None:
    page = browser_page.open("/account/login/")
    for _ in range(2):
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_role("alert")).to_have_text("This is an invalid domain.")


@pytest.mark.parametrize("provider", ["GitHub", "GitLab", "Google"])
def test_somebody_signs_up_with_another_provider(
    browser_page: BrowserPage, identity_provider: IdentityProvider, mail_folder: Path, provider: str
) -> None:
    page = browser_page.open("/account/login/")
    page.get_by_role("button", name=f"Go on with {provider}").click()
    expect(page.get_by_role("heading", name="Make an account")).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value(identity_provider.identity.email)
    page.get_by_label("I agree to the terms").check()
    page.get_by_role("button", name="Make an account").click()
    if provider == "GitLab":  # which says nothing of whether it verified the address
        page.wait_for_url("**/account/confirm-email/")
        (written,) = mail_folder.iterdir()
        code = CODE.search(written.read_text(encoding="utf-8"))
        assert code
        page.get_by_label("Code").fill(code[1])
        page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    account = SocialAccount.objects.get()
    assert account.uid == str(identity_provider.identity.uid)
    browser_page.open("/account/connected/")
    expect(page.get_by_role("main").get_by_text(provider, exact=True).first).to_be_visible()


def test_who_has_no_password_says_at_the_provider_that_it_is_them(
    browser_page: BrowserPage, identity_provider: IdentityProvider
) -> None:
    page = browser_page.open("/account/login/")
    page.get_by_role("button", name="Go on with GitHub").click()
    page.get_by_label("I agree to the terms").check()
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    an_hour_later(page)
    browser_page.open("/account/data/")
    page.get_by_role("button", name="Download as JSON").click()
    page.get_by_role("main").get_by_role("button").click()  # go on to GitHub
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    browser_page.open("/account/data/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as JSON").click()
    assert identity_provider.identity.email in download.value.path().read_text(encoding="utf-8")


def test_a_provider_where_somebody_says_no_changes_nothing(
    browser_page: BrowserPage, identity_provider: IdentityProvider
) -> None:
    identity_provider.identity.refuses = True
    page = browser_page.open("/account/login/")
    page.get_by_role("button", name="Go on with GitHub").click()
    expect(page.get_by_role("heading", name="The sign-in was cancelled")).to_be_visible()
    assert not User.objects.exists()


@pytest.mark.attack
@pytest.mark.parametrize("provider", ["GitHub", "GitLab", "Google"])
@pytest.mark.parametrize("is_verified", [True, False])
def test_an_address_at_another_provider_takes_over_no_account(
    browser_page: BrowserPage,
    identity_provider: IdentityProvider,
    provider: str,
    *,
    is_verified: bool,
) -> None:
    victim = make_person()
    identity_provider.identity.email = victim.email
    identity_provider.identity.is_verified = is_verified
    page = browser_page.open("/account/login/")
    page.get_by_role("button", name=f"Go on with {provider}").click()
    page.get_by_label("I agree to the terms").check()
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    browser_page.open("/account/")
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    assert not SocialAccount.objects.exists()


@pytest.fixture
def mail_folder(live_mail: Path) -> Path:
    """Where the live site writes its mails, empty."""
    for each in live_mail.iterdir():
        each.unlink()
    return live_mail
