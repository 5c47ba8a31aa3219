"""Rules about where the file lay and whether flushes reached the drive."""
