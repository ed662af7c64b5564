#!/usr/bin/env bash
# Random C functions that sort by qsort, or go by powers of two (tests/poly/sort_gen.c), through the whole line as random_nests.sh does it:
# RG_SORTS programs.
# test-deadline: 3000
set -u
export RG_GENERATOR=sort_gen RG_NESTS=${RG_SORTS:-40}
exec tests/cmd/random_nests.sh
