"""What other apps are told in the transaction in which it happens.

Apps below do not know those above, which keep rows about the same things.
"""

from typing import Final

from django.dispatch import Signal

keys_changed: Final = Signal()  # `keyids`: whose they are, or since when they are not believed
