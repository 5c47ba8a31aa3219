"""The pictures of plans, drives and providers: geometry, and the figures that scripts draw."""
