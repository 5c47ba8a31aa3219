"""What the figures of one run show, as `agent/src/analysis` computes them too."""
