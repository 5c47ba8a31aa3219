"""The version of the method, which every standing carries.

It is raised when a figure or a rank is made in another way; "Changes" in docs/methodology.md says
what each version changed.
"""

from typing import Final

METHOD_VERSION: Final = 10
