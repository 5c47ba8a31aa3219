"""Every bound on an output that somebody gives us, with its reason."""

OUTPUT_BYTES_MAX = 2 * 1024 * 1024  # fio's JSON+ of 64 jobs that ran for hours; one job is 10 KB
LINES_MAX = 20_000  # of a text format: pgbench -P 1 for five hours; fio prints 50 a job
LINE_CHARACTERS_MAX = 4_096  # of a text format, whose longest line, fio's progress, has 200
JSON_VALUES_MAX = 200_000  # 100 times what one fio job prints; each costs 150 bytes of memory
NUMBER_CHARACTERS_MAX = 25  # 2^64 has 20 digits, fio's longest figure 24 with its fraction
VALUE_MAX = 2**63  # what fio counts in: nanoseconds or bytes beyond are no figure
VALUE_MIN = 1e-6  # but for 0: the tools print six decimals, and nobody divides by less
RUNS_MAX = 32  # outputs one after the other in a file: a warm-up and some repeats
JOBS_MAX = 128  # of all runs: more processors than most servers have, one job on each
PERCENTILES_MAX = 20  # of one latency: what fio's percentile_list takes (FIO_IO_U_LIST_MAX_LEN)
FIGURES_MAX = 4_096  # of a file, each a row of its run's page: 80 jobs of fio with their syncs
DISKS_MAX = 16  # named beside an output: what stands below a RAID or a volume group
NAME_CHARACTERS_MAX = 64  # of a stranger's word that is repeated: a job's name, an option
EXCERPT_CHARACTERS_MAX = 160  # of a line that is shown beside its figure
MOUNTS_MAX = 256  # filesystems named around an output: mount on a host of many containers
COMMANDS_MAX = 8  # lines above an output that may be its command: a prompt, tries that failed
NOTES_MAX = 20  # of a job or of a file: enough to understand what was left out
