#!/usr/bin/env bash
# --explain=kernel: kernels as pseudo-code, of each first action or of a chain; nothing is measured.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd); S=$(realpath -m "${BUILD:-$here/build}")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
cd "$W" || exit 1
bad=0
t() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; bad=1; tail -n 20 out err; fi; }
run() { timeout 60 "$S" "$@" --device sim:h200 --graph "$here/graphs/cuda.json" --no-learn >out 2>err </dev/null; rc=$?; }
run "$here/examples/softmax.c" --explain=kernel
t runs '[ $rc -eq 0 ] && grep -q "^== parallelize@C" out && ! grep -q refused out'
t new 'grep -q "for lane in block.x(32):" out && grep -q "register x_row: float\[" out'
run "$here/examples/softmax.c" --explain=kernel --apply parallelize,row.registers
t chain '[ $rc -eq 0 ] && [ "$(grep -c "^== " out)" -eq 1 ] && grep -q "shuffle_xor(" out'
run "$here/bench/headlines/scan.c" --explain=kernel --apply scan.block
t scan '[ $rc -eq 0 ] && [ "$(grep -c "^kernel " out)" -eq 3 ] && grep -q "shuffle_up(" out && grep -q "parameter parts: int" out'
run "$here/examples/saxpy.c" --explain=kernel --apply parallelize
t threads '[ $rc -eq 0 ] && grep -q "for bx in grid.x(" out && grep -q "for tx in block.x(BX):" out && grep -q "if i < n:" out'
run "$here/examples/saxpy.c" --explain=kernel --apply parallelize,vectorize
t neighbours '[ $rc -eq 0 ] && grep -q "register x_v: float\[W\]" out && grep -q "(4 elements at once)" out'
run "$here/tests/poly/cases/sort_row_each.c" --explain=kernel --apply parallelize
t sort '[ $rc -eq 0 ] && grep -q "sort tile tile of m\[r\]" out && grep -q "merge tile tile of the runs of run0" out'
run "$here/examples/saxpy.c" --explain=kernel --apply row.registers
t refused '[ $rc -eq 3 ] && grep -q "no loop over a row reduces it" err'
run "$here/examples/saxpy.c" --explain=kernel --apply no.step
t unknown '[ $rc -eq 3 ] && grep -q "no step .no.step" err'
exit $bad
