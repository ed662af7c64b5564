#!/usr/bin/env bash
# Random C functions that place elements by counters (tests/poly/place_gen.c), through the whole line as random_nests.sh does it:
# RG_PLACEMENTS programs.
# test-deadline: 3000
set -u
export RG_GENERATOR=place_gen RG_NESTS=${RG_PLACEMENTS:-40}
exec tests/cmd/random_nests.sh
