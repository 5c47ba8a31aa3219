"""Rules about what a medium can do: floors of commits and reads, and the effects of caches.

None of them proves what happens in a power cut.
"""
