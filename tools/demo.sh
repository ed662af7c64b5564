#!/usr/bin/env bash
# What `make demo` runs once everything is built: one search, on the first GPU or on the simulated device.
set -eu
cd "$(dirname "$0")/.."
build=$1
out=$(mktemp -d "${TMPDIR:-/tmp}/regraph-demo.XXXXXX")
echo "+ regraph-search examples/sgemm.c --out $out --force --no-learn"
"$build/regraph-search" examples/sgemm.c --out "$out" --force --no-learn ${DEMO_OPTIONS:---evals 60}
