"""Ways in which a key is linked with a person: a login of its agent, a link of its run."""
