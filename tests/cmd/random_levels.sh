#!/usr/bin/env bash
# Random C functions over levels that get shorter, and over short lists of rows (tests/poly/level_gen.c), as tests/cmd/random_nests.sh runs
# nests: 0 wrong. RG_LEVELS programs from RG_SEED on.
# test-deadline: 1200
RG_GENERATOR=level_gen RG_NESTS=${RG_LEVELS:-6} exec bash "$(dirname "$0")/random_nests.sh"
