#!/usr/bin/env bash
# Makes runtime/driver/helpers_ptx.inc, and helpers_rates_ptx.inc (the kernels that rates are measured with, long as they are unrolled),
# from helpers.cu. The PTX version is lowered so that drivers older than this toolkit load it (nothing newer than PTX 6.4 is used; ptxas
# checks that).
set -eu
cd "$(dirname "$0")/../runtime/driver"
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
nvcc -ptx -arch=compute_75 -O3 helpers.cu -o "$t/h.ptx"
sed -E -e 's/^\.version .*/.version 6.4/' -e '/^\/\//d' -e '/^$/d' "$t/h.ptx" >"$t/low.ptx"
ptxas -arch=sm_75 "$t/low.ptx" -o "$t/h.cubin"
ptxas -arch=sm_90 "$t/low.ptx" -o "$t/h.cubin"
# An entry begins at its comment. Texts as C strings.
awk -v rates="$t/rates" -v others="$t/others" '/^\t\/\/ \.globl\t/ { to_rates = $3 ~ /^rg_fma/ } { print >(to_rates ? rates : others) }' "$t/low.ptx"
made() { echo '/* Made by tools/gen-helpers.sh from helpers.cu. */'; sed -E -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^(.*)$/"\1\\n"/' "$1"; }
made "$t/others" >helpers_ptx.inc
made "$t/rates" >helpers_rates_ptx.inc
