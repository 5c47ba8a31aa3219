"""Rules about what the medium can do: floors of commits and reads, and what a cache makes of them.

Every rule here names figures. None of them proves anything of a power cut.
"""
