"""Rules about how runs come in: keys of one machine, new keys on one plan, runs unreported.

They exclude nothing: keys of one network count as one uploader in any case.
"""
