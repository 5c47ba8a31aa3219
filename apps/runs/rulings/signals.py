"""What other apps are told in the transaction in which it happens.

Apps below do not know those above, which keep rows about the same things.
"""

from typing import Final

from django.dispatch import Signal

runs_left: Final = Signal()  # `run_ids`: they count nowhere from now on, or for another uploader
