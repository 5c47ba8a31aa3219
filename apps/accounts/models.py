"""Who sends runs: the public keys of agents. People and their claims on keys build on this."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length

KEYID_CHARACTERS = 64  # lowercase hexadecimal SHA-256 of the raw public key
PUBLIC_KEY_BYTES = 32  # a raw Ed25519 public key


class AgentKey(models.Model):
    """A public key that some agent proved to hold, trusted on first use."""

    class State(models.TextChoices):
        ANONYMOUS = "anonymous"
        REVOKED = "revoked"

    keyid = models.CharField(max_length=KEYID_CHARACTERS, primary_key=True)
    public_key = models.BinaryField(max_length=PUBLIC_KEY_BYTES)
    state = models.CharField(max_length=16, default=State.ANONYMOUS)
    first_seen = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="agentkey_keyid_is_sha256_hex", condition=Q(keyid__regex=r"^[0-9a-f]{64}$")
            ),
            models.CheckConstraint(
                name="agentkey_public_key_has_32_bytes",
                condition=Q(public_key__length=PUBLIC_KEY_BYTES),
            ),
        )

    def __str__(self) -> str:
        """Return the short form that people compare: the first and last six characters."""
        return f"{self.keyid[:6]}·{self.keyid[-6:]}"


models.BinaryField.register_lookup(Length, "length")
