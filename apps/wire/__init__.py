"""The format that agents and servers share: envelopes, the run schema, strict reading. No Django."""
