"""Tests, path for path as the code lies; support/ holds what several of them use."""
