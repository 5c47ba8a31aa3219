"""The names of facts about a machine that an imported output is judged by."""

from typing import Final

FILESYSTEM: Final = "filesystem"  # or the layer below it that is made of memory
MOUNT_OPTIONS: Final = "mount options"  # those alone that keep flushes from the drive
SEPARATOR: Final = ", "
