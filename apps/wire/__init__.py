"""The format that agent and server share: envelopes, the run schema, strict reading. No Django."""
