"""The advisor: what a load costs a month, and on which plans."""
