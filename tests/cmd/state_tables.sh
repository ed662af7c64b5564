#!/usr/bin/env bash
# Structures behind pointers of file-scope state: NAME_auto looks into a table only where the numbers outside of it are those that the
# kernel is made for, calls the C otherwise, and compiles where the user puts it.
# test-deadline: 120
set -u
S=$(realpath "$BUILD")/regraph-search
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
"$S" tests/whole/state_filters.c --function bank_run --init bank_setup --device sim:h200 --graph graphs/cuda.json --no-learn --evals 1 --no-report -q --out "$W/out" >"$W/log" 2>&1 </dev/null
[ $? -le 1 ] || { echo "not ok state-tables: $(tail -n 2 "$W/log")"; exit 1; }
cp tests/whole/state_filters.c "$W/out/user.c" && echo '#include "auto.c"' >>"$W/out/user.c"
sed -i 's/    bank_run(in, out);/    bank_run_auto(in, out);/; s/^int main/void bank_run_auto(const float *, float *);\nint main/' "$W/out/user.c"
"${CC:-cc}" -Wall -Werror -c -o "$W/user.o" "$W/out/user.c" || { echo "not ok state-tables-compile"; exit 1; }
# without the kernel's side, every call must be the C's: another number of filters, no filters yet
cat >"$W/stub.c" <<'C'
#include <stdlib.h>
void rg_bank_run_auto(void *in) { (void)in; exit(9); } /* looked into the tables */
int rg_bank_run_open(void) { exit(9); }
void rg_bank_run_close(void) { exit(9); }
void rg_bank_run_run(void) { exit(9); }
C
run() { # $1: what main sets up
    sed "s/int ch = 8/int ch = $1/" "$W/out/user.c" >"$W/out/u$1.c"
    "${CC:-cc}" -w -o "$W/u$1" "$W/out/u$1.c" "$W/stub.c" && "$W/u$1" >"$W/says$1"
}
sed 's/int ch = 8/int ch = 5/' tests/whole/state_filters.c >"$W/c5.c" && "${CC:-cc}" -w -o "$W/c5" "$W/c5.c" && "$W/c5" >"$W/c5.out"
run 5 && cmp -s "$W/says5" "$W/c5.out" && echo "ok state-tables-others" || { echo "not ok state-tables-others"; exit 1; }
run 8; [ $? -eq 9 ] && echo "ok state-tables-taken" || { echo "not ok state-tables-taken"; exit 1; }
