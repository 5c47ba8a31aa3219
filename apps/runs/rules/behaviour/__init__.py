"""Rules about uploaders: keys of one machine, new keys on one plan, runs that were not reported.

They exclude nothing, because all keys of a network count as one uploader.
"""
