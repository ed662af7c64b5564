#!/usr/bin/env bash
# Every C file of the product stands as .clang-format has it (tools/format.sh writes it so).
set -u
command -v clang-format-14 >/dev/null || { echo 'skip format (no clang-format-14)'; exit 0; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo 'skip format (no git tree)'; exit 0; }
bad=$(tools/format.sh --check) && echo 'ok format' || { echo "not ok format: $(echo "$bad" | tr '\n' ' ')"; exit 1; }
