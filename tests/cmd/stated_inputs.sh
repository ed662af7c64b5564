#!/usr/bin/env bash
# Numbers in stated inputs that are sizes go with these: what fits the timed size leads into the arrays at the others, too.
# test-deadline: 240
set -u
S=$(realpath "$BUILD")/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
cat >gather.c <<'C'
static int looked_up(const int *name, int at) { return name[at] < 0 ? 0 : name[at]; }
void gather(int n, int m, const int *ptr, const int *idx, const int *name, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = ptr[i]; k < ptr[i + 1] && k < m; k++) s += x[looked_up(name, idx[k])];
        y[i] = s;
    }
}
C
bad=0
ok() { if eval "$2"; then echo "ok $1"; else echo "not ok $1: $(tail -n 3 out) $(tail -n 2 err)"; bad=1; fi; }
run() { "$S" gather.c --graph "$G" --device sim:h200 --no-learn --evals 1 --force --out run --extent ptr=n+1 --extent idx=m --extent name=n --extent x=n --extent y=n "$@" >out 2>err </dev/null; }
in=(--input 'ptr=sorted(0, 400)' --input 'idx=uniform(0, 299)' --input 'name=uniform(0, 299)')
run --size n=300,m=400 "${in[@]}"
ok "goes with the sizes" "[ $? -le 1 ] && grep -q 'verified    largest error' out"
ok "said" "grep -qF 'ptr=sorted(0, m) at other sizes, as 400 is that at the one to time' out && grep -qF 'idx=uniform(0, n - 1)' out"
run --size n=300,m=400 --size n=40,m=30 "${in[@]}"
ok "two sizes: who gives them has seen to it" "! grep -q 'at other sizes, as' out"
run --size n=300,m=400 --input 'ptr=sorted(0, 400)' --input 'idx=uniform(0, 40)' --input 'name=uniform(0, n - 1)' --explain
ok "another number stays" "! grep -q '40 is that' out && grep -qE 'idx .*uniform\(0, .*40' out"
exit $bad
