"""The words of the rules, one module a kind: what each means, its border, and what to do."""
