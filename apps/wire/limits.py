"""The limits of what may be sent, each with its reason. The schema has those of single values."""

PAYLOAD_BYTES_MAX = 4 * 1024 * 1024  # 128 workloads with full histograms; a quick run is 30 KB
ENVELOPE_BYTES_MAX = 6 * 1024 * 1024  # the payload in base64 (4/3), signatures, room to spare
STATEMENT_BYTES_MAX = 4 * 1024  # key statements and challenge requests are under 300 bytes
PLACEMENT_BYTES_MAX = 16 * 1024  # a document of 1 KB and a PKCS#7 signature with its chain
COMPRESSION_RATIO_MAX = 20  # base64 of an honest run shrinks 3 to 8 times, a bomb 1,000 times
# The oldest agent that may send: it is raised where the format loses what an older one needs.
AGENT_OLDEST = "0.1.0"
DEPTH_MAX = 8  # a run needs 7: run, workloads, workload, histograms, histogram, counts, pair
INTEGER_MAX = 2**53 - 1  # the largest integer that every JSON reader keeps exact
NANOSECOND_MAX = (
    2**63 - 1
)  # of a time since 1970, which is beyond 2^53; nothing but our own reads it
SIGNATURES_MAX = 2  # key rotation is signed by the old key and the new one
ERRORS_MAX = 20  # enough to mend a payload, too few to fill a disk with logs
NAME_CHARACTERS_MAX = 64  # of a stranger's member name that an error repeats
# Brackets, quotes, colons and commas, which are what makes JSON dear to read. 4 MiB of empty lists
# are refused in 1 ms; the most empty lists that pass take 0.18 s.
ENVELOPE_STRUCTURE_MAX = 256  # three members and two signatures have 46
PAYLOAD_STRUCTURE_MAX = 1_000_000  # 100,000 buckets in 128 workloads have 460,000
ENVELOPE_OVERHEAD_BYTES_MAX = 4 * 1024  # beside the payload: two signatures are 400 bytes
BUCKETS_IN_ALL_MAX = 100_000  # the deep suite has 206 histograms, of 300 buckets or so
SAMPLES_IN_ALL_MAX = 65_536  # ten a second through the slowest deep run are 23,000
