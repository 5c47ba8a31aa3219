#!/bin/sh
# Fuzzes the importers for so many seconds (60 without a word), beginning with the fixtures. Needs Linux on x86-64,
# for which atheris has wheels. What is found stays in build/fuzz-importers.
set -eu
cd -- "$(dirname -- "$0")/../../.."
seconds=${1:-60}
python=${FSYNCMARK_FUZZ_PYTHON:-.venv/bin/python}
found=build/fuzz-importers
mkdir -p "$found/corpus"
if ! "$python" -c 'import atheris' 2>/dev/null; then
    .tools/bin/uv pip install --quiet --require-hashes --python "$python" -r requirements/fuzz.txt
fi
fixtures=tests/intake/importers/fixtures
# An output of 64 KiB has every kind of line; -timeout is far above the second that a reading may take.
"$python" -m tests.intake.importers.fuzz "$found/corpus" "$fixtures" "$fixtures/made" \
    -artifact_prefix="$found/" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 \
    -print_final_stats=1
