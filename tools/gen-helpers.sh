#!/usr/bin/env bash
# Makes runtime/driver/helpers_ptx.inc from helpers.cu. The PTX version is lowered so that drivers older than this toolkit load it
# (nothing newer than PTX 6.4 is used; ptxas checks that).
set -eu
cd "$(dirname "$0")/../runtime/driver"
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
nvcc -ptx -arch=compute_75 -O3 helpers.cu -o "$t/h.ptx"
sed -E -e 's/^\.version .*/.version 6.4/' -e '/^\/\//d' -e '/^$/d' "$t/h.ptx" >"$t/low.ptx"
ptxas -arch=sm_75 "$t/low.ptx" -o "$t/h.cubin"
ptxas -arch=sm_90 "$t/low.ptx" -o "$t/h.cubin"
{ echo '/* Made by tools/gen-helpers.sh from helpers.cu. */'
  sed -E -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^(.*)$/"\1\\n"/' "$t/low.ptx"; } >helpers_ptx.inc
