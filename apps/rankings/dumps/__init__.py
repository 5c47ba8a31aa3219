"""The daily dump: everything public as files, from which standings can be computed again."""
