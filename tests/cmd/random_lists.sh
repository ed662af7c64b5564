#!/usr/bin/env bash
# Random C functions that fill lists through counters (tests/poly/list_gen.c), as tests/cmd/random_nests.sh runs nests: 0 wrong. RG_LISTS
# functions.
# test-deadline: 2000
RG_GENERATOR=list_gen RG_NESTS=${RG_LISTS:-6} exec bash "$(dirname "$0")/random_nests.sh"
