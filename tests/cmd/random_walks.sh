#!/usr/bin/env bash
# Random C functions whose loops go by pointers (tests/poly/walk_gen.c), as tests/cmd/random_nests.sh runs nests: 0 wrong. RG_WALKS programs
# from RG_SEED on.
# test-deadline: 1200
RG_GENERATOR=walk_gen RG_NESTS=${RG_WALKS:-6} exec bash "$(dirname "$0")/random_nests.sh"
