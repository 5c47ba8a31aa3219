"""What moderators decide and readers report; every change of it goes through here."""
