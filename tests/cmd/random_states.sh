#!/usr/bin/env bash
# Random C programs with state in file-scope variables, handles and memory of their own (tests/poly/state_gen.c), as tests/cmd/random_nests.sh
# runs nests: 0 wrong. RG_STATES programs from RG_SEED on.
# test-deadline: 1200
RG_GENERATOR=state_gen RG_NESTS=${RG_STATES:-6} exec bash "$(dirname "$0")/random_nests.sh"
