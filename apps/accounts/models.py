"""Who sends runs: the public keys of agents, and the people who say that a key is theirs."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length

from apps.accounts.clock import database_now

KEYID_CHARACTERS = 64  # lowercase hexadecimal SHA-256 of the raw public key
KEYID_GROUP = 8  # characters: how the agent prints it too
PUBLIC_KEY_BYTES = 32  # a raw Ed25519 public key
SHA256_CHARACTERS = 64  # in hexadecimal
TOKEN_BYTES = 16  # random: 128 bits cannot be guessed
REASON_CHARACTERS_MAX = 500  # a reason is a few sentences; the public log prints it
CLAIM_LINK_LIFE = timedelta(days=30)  # a link is for who has just read it on the terminal
EMAIL_CHANGE_WAIT = timedelta(days=7)  # in which the old address can stop a change, or confirm it
PUBLIC_NAME_CHARACTERS_MAX = 20  # with a colon it is whole on every badge
PUBLIC_NAME_HELD = timedelta(days=365)  # after it was given up
NOTE_CHARACTERS_MAX = 500  # of a run: what was done to the machine that day
TICKET_LIFE = timedelta(days=7)  # a rented machine takes it within minutes; who rents may wait
LOGIN_LIFE = timedelta(minutes=10)  # RFC 8628, 6.1: short, so that a code is worth nothing later
POLL_INTERVAL_S = 5  # RFC 8628, 3.2: the default between two polls


def token_sha256(token: str) -> str:
    """Return what is stored of a secret token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a secret of 128 random bits that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Person(models.Model):
    """What we keep of somebody with an account beside Django's own row."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="person"
    )
    # When an address or another provider's account was first verified; null: not yet.
    verified_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"person {self.pk}"


class PublicName(models.Model):
    """What a person wants to be called on badges; one that was given up is nobody's for a while."""

    name = models.CharField(max_length=PUBLIC_NAME_CHARACTERS_MAX, primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="public_names"
    )
    # Nobody else gets it before: badges of who had it stand on pages of others. Null: it is used.
    held_until = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="public_name_is_a_slug",
                condition=Q(name__regex=r"^[a-z0-9]+(-[a-z0-9]+)*$"),
            ),
            models.UniqueConstraint(
                name="public_name_once_a_person",
                fields=("user",),
                condition=Q(held_until__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return self.name


class TermsAcceptance(models.Model):
    """A person agreed to one version of the terms."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="terms_accepted"
    )
    version = models.PositiveSmallIntegerField()
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="terms_version_once_a_person", fields=("user", "version")),
        )

    def __str__(self) -> str:
        return f"terms {self.version} by {self.user_id}"


class AgentKey(models.Model):
    """A public key that some agent proved to hold, trusted on first use."""

    class State(models.TextChoices):
        ANONYMOUS = "anonymous"
        CLAIMED = "claimed"  # a person says that it is theirs
        ROTATED = "rotated"  # its holder replaced it by another
        REVOKED = "revoked"

    keyid = models.CharField(max_length=KEYID_CHARACTERS, primary_key=True)
    public_key = models.BinaryField(max_length=PUBLIC_KEY_BYTES)
    state = models.CharField(max_length=16, default=State.ANONYMOUS)
    first_seen = models.DateTimeField(auto_now_add=True)
    name = models.CharField(max_length=64, blank=True)  # by its owner, for its owner
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="keys"
    )
    claimed_at = models.DateTimeField(null=True)
    replaced_by = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="replaces"
    )
    revoked_at = models.DateTimeField(null=True)
    # Runs received since then are in quarantine, by our clock; null: no run is in doubt.
    compromised_since = models.DateTimeField(null=True)
    revoked_reason = models.CharField(max_length=REASON_CHARACTERS_MAX, blank=True)
    # Where a laboratory describes its set-up; blank: no laboratory. Staff grant it.
    lab_setup_url = models.URLField(blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="agentkey_keyid_is_sha256_hex", condition=Q(keyid__regex=r"^[0-9a-f]{64}$")
            ),
            models.CheckConstraint(
                name="agentkey_public_key_has_32_bytes",
                condition=Q(public_key__length=PUBLIC_KEY_BYTES),
            ),
            models.CheckConstraint(
                name="agentkey_owner_has_a_day",
                condition=Q(owner__isnull=True) | Q(claimed_at__isnull=False),
            ),
            models.CheckConstraint(
                name="agentkey_revoked_has_a_day",
                condition=~Q(state="revoked") | Q(revoked_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        """Return the short form that people compare: the first and last six characters."""
        return f"{self.keyid[:6]}·{self.keyid[-6:]}"

    @property
    def groups(self) -> list[str]:
        """Its id in groups of eight characters, which eyes can follow."""
        return [self.keyid[at : at + KEYID_GROUP] for at in range(0, KEYID_CHARACTERS, KEYID_GROUP)]


class KeyEvent(models.Model):
    """What happened to a key, for its owner and for staff."""

    class Kind(models.TextChoices):
        CLAIMED = "claimed"
        RELEASED = "released"
        ROTATED = "rotated"
        REVOKED = "revoked"
        RESTORED = "restored"  # its revocation was taken back
        LAB_GRANTED = "lab-granted"
        LAB_WITHDRAWN = "lab-withdrawn"

    key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    at = models.DateTimeField(default=database_now)  # by the clock of `claimed_at`
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    reason = models.CharField(max_length=REASON_CHARACTERS_MAX, blank=True)
    # Of a revocation: the day that it gave, and whether it was taken back.
    compromised_since = models.DateTimeField(null=True)
    is_taken_back = models.BooleanField(default=False)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.key_id[:6]} {self.kind}"


class ClaimLink(models.Model):
    """A private address that lets who has it claim the key of a run: once, and only for a while."""

    token_sha256 = models.CharField(max_length=SHA256_CHARACTERS, primary_key=True)
    key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, related_name="claim_links")
    run_id = models.UUIDField(unique=True)  # a new link of a run replaces the one before
    not_after = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"claim link of {self.run_id}"


class Ticket(models.Model):
    """Says for whom a rented machine measures one plan once: its key is its own and soon gone."""

    # The whole of its secret: what the database gives away is no ticket.
    token_sha256 = models.CharField(max_length=SHA256_CHARACTERS, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tickets"
    )
    plan = models.CharField(max_length=160)  # slug, which plans never change
    region = models.CharField(max_length=32, blank=True)  # where it is rented; blank: not known
    made_at = models.DateTimeField()
    not_after = models.DateTimeField(db_index=True)  # for its use, not for the run
    # The one run that it is good for, by the key that asked first. Null: not used.
    key = models.ForeignKey(
        AgentKey, null=True, on_delete=models.CASCADE, related_name="tickets"
    )  # fmt: skip
    run_id = models.UUIDField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="ticket_once_a_key_and_run", fields=("key", "run_id")),
            models.CheckConstraint(
                name="ticket_is_used_whole",
                condition=Q(key__isnull=True, run_id__isnull=True, used_at__isnull=True)
                | Q(key__isnull=False, run_id__isnull=False, used_at__isnull=False),
            ),
        )
        indexes = (models.Index(name="ticket_of_run", fields=("run_id",)),)

    def __str__(self) -> str:
        return f"ticket for {self.plan}"


class KeyLogin(models.Model):
    """A key asks to be linked with whoever types its code (RFC 8628, without any token)."""

    class State(models.TextChoices):
        PENDING = "pending"
        APPROVED = "approved"
        DENIED = "denied"

    device_code_sha256 = models.CharField(max_length=SHA256_CHARACTERS, primary_key=True)
    # Keyed, as 34 bits could be tried: what the database alone gives away opens no login.
    user_code_hmac = models.CharField(max_length=SHA256_CHARACTERS, unique=True)
    key = models.ForeignKey(AgentKey, on_delete=models.CASCADE, related_name="logins")
    agent_version = models.CharField(max_length=32, blank=True)
    network = models.CharField(max_length=32)  # keyed hash of the asker's /24 or /64
    network_provider = models.CharField(max_length=64, blank=True)  # slug; blank: not known
    state = models.CharField(max_length=16, choices=State.choices, default=State.PENDING)
    asked_at = models.DateTimeField()
    not_after = models.DateTimeField(db_index=True)
    # When the key first signed the device code: nobody can approve a login before. Null: not yet.
    proved_at = models.DateTimeField(null=True)
    polled_at = models.DateTimeField(null=True)
    interval_s = models.PositiveSmallIntegerField(default=POLL_INTERVAL_S)  # between two polls

    class Meta:
        indexes = (models.Index(name="keylogin_of_network", fields=("network", "asked_at")),)

    def __str__(self) -> str:
        return f"login of {self.key_id[:6]}"


class Attempt(models.Model):
    """Something that may be tried so many times, by a person, a key or a network; kept an hour."""

    class Kind(models.TextChoices):
        CODE = "code"  # a wrong code of a login was typed
        CLAIM = "claim"  # a claim link was opened that is none
        LOGIN = "login"  # a login was asked for
        STATEMENT = "statement"  # a rotation or a withdrawal was sent
        UPLOAD = "upload"  # a run was sent

    kind = models.CharField(max_length=16, choices=Kind.choices)
    by = models.CharField(max_length=80)  # "user:…", "key:…", "network:…" or a part of a network
    at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(name="attempt_of", fields=("by", "kind", "at")),
            models.Index(name="attempt_by_time", fields=("at",)),
        )

    def __str__(self) -> str:
        return f"{self.kind} by {self.by}"


class MachineName(models.Model):
    """What a person calls one of their machines; nobody else reads it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="machine_names"
    )
    machine = models.CharField(max_length=32)  # pseudonym, as in Run.machine
    name = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="machine_name_once_a_person", fields=("user", "machine")),
        )

    def __str__(self) -> str:
        return self.name


class RunNote(models.Model):
    """What a person wrote beside one of their runs; nobody else reads it. It outlives a rebuild."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="run_notes"
    )
    run_id = models.UUIDField()
    text = models.CharField(max_length=NOTE_CHARACTERS_MAX)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="run_note_once_a_person", fields=("user", "run_id")),
        )

    def __str__(self) -> str:
        return f"note on {self.run_id}"


class EmailChange(models.Model):
    """A new address that was verified, until the old one has confirmed it, or not stopped it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE,
        related_name="email_change",
    )  # fmt: skip
    email = models.EmailField()
    token_sha256 = models.CharField(max_length=SHA256_CHARACTERS, unique=True)  # sent to the old
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"change of address of {self.user_id}"

    @property
    def free_at(self) -> datetime:
        """When its owner may finish it without the old address, which may be lost."""
        return self.asked_at + EMAIL_CHANGE_WAIT


models.BinaryField.register_lookup(Length, "length")
