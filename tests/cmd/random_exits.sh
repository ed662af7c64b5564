#!/usr/bin/env bash
# Random C functions that leave loops early, toggle values and count by conditions (tests/poly/exit_gen.c), as tests/cmd/random_nests.sh runs
# nests: 0 wrong. RG_EXITS programs from RG_SEED on.
# test-deadline: 1200
RG_GENERATOR=exit_gen RG_NESTS=${RG_EXITS:-40} exec bash "$(dirname "$0")/random_nests.sh"
