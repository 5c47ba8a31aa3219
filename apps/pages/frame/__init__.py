"""What stands around every page: head, foot, navigation, languages, what programs are told."""
