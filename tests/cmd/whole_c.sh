#!/usr/bin/env bash
# Whole C files as people write them (tests/whole: main(), printf, structures, allocations, comparison functions, complex numbers), unedited:
# with the options that a user would give, each is stated, run on the simulated device and verified, without a model. Files with a number
# behind them must run some kernel in at least so many threads; those with =true, =partly or =one-thread in front of their options are that
# parallel by where their time goes. ONLY_FILE=regex for some.
# test-deadline: 2700
# test-parts: 6
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
PATH=$PATH:/usr/local/cuda/bin
declare -A least=([batch_factor]=4000 [rows_of_triplets]=50000 [lu_partial]=120 [invert_in_place]=2000 [state_blocks]=20000 [state_levels]=500 [multigrid]=100 [state_errors]=10000 [init_matvec]=200 [init_smooth]=10000 [init_corr]=70 [setup_solver]=3000 [setup_csr]=1000 [setup_walls]=500 [setup_camera]=8000 [state_heat]=10000 [state_nbody]=500 [state_rows]=200 [state_lattice]=20000 [state_pagerank]=3000 [state_stereo]=8000 [histeq]=1000 [median3]=5000 [statement_values]=500 [builtin_bits]=500 [builtin_reals]=500 [joined]=10000 [binomial]=50 [sph_cells]=1000 [sobel_u8]=10000 [mandelbrot]=10000 [raytrace]=4000 [sudoku_stack]=40 [filters_table]=100 [integrate_fp]=300 [percentiles]=20
    [dft]=300 [smith_waterman]=100 [jagged_lcs]=80 [cg]=500 [portfolio]=5000 [life_char]=10000 [matrix_chain]=50 [floyd_next]=3600 [knapsack]=500 [align_affine]=100 [red_black]=500 [lloyd]=100 [lennard_jones]=100 [bitonic]=500 [acoustic]=10000 [shot]=6000 [goto_cleanup]=50000 [recursive_queens]=1000 [recursive_tree]=1000 [recursive_knap]=1000 [recursive_levels]=2000 [recursive_rows]=2000)
bad=0 i=0
while read -r n args; do
    case $n in '#'*) continue ;; esac
    [[ $n =~ ${ONLY_FILE:-.} ]] || continue
    [ $((i++ % ${PARTS:-1})) = $((${PART:-1} - 1)) ] || continue
    want= evals=2; case $args in =*) want=${args%% *}; want=${want#=}; args=${args#=* }; evals=16 ;; esac
    # shellcheck disable=SC2086
    timeout $((300 * ${SLOW:-1})) "$S" "tests/whole/$n.c" $args --device sim:h200 --graph graphs/cuda.json --no-learn --evals $evals --json --out "$W/$n" >"$W/$n.json" 2>"$W/$n.err" </dev/null; rc=$?
    threads=$(grep -m1 '"most_threads"' "$W/$n.json" | grep -oE '[0-9.]+' | head -1)
    if [ $rc -gt 1 ]; then echo "not ok $n: exit $rc: $(tail -n 2 "$W/$n.err" | tr '\n' ' ')"; bad=1
    elif [ "$(printf '%.0f' "${threads:-0}")" -lt "${least[$n]:-1}" ]; then echo "not ok $n: only ${threads:-?} threads"; bad=1
    elif [ -n "$want" ] && ! grep -q "\"parallel\": \"$want\"" "$W/$n.json"; then echo "not ok $n: not $want: $(grep -m1 '"parallel"' "$W/$n.json")"; bad=1
    elif [[ $n =~ ^(dft|percentiles|cell_list|kmp|word_count)$ ]] && command -v nvcc >/dev/null && ! nvcc -c -arch=sm_90 -o "$W/$n.o" "$W/$n/best.cu" >"$W/$n.nvcc" 2>&1; then
        echo "not ok $n: nvcc: $(head -n 3 "$W/$n.nvcc" | tr '\n' ' ')"; bad=1
    else echo "ok $n"; fi
done <tests/whole/options
exit $bad
