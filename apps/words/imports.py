"""What pages say of the outputs that can be given in."""

from typing import Final

from django.utils.translation import gettext_lazy

# The tools of `apps/intake/importers/tools.py`, which a test compares with this sentence.
TOOLS_IN_WORDS: Final = gettext_lazy("fio, YABS, pgbench or pg_test_fsync")
