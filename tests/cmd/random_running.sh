#!/usr/bin/env bash
# Random C functions whose loops carry several scalars (tests/poly/running_gen.c), as tests/cmd/random_nests.sh runs nests: 0 wrong. RG_RUNNING
# programs from RG_SEED on.
# test-deadline: 1200
RG_GENERATOR=running_gen RG_NESTS=${RG_RUNNING:-6} exec bash "$(dirname "$0")/random_nests.sh"
