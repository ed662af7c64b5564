#!/usr/bin/env bash
# --assume order-free: loops whose order can't be proven free run at once, are verified against the C, and every record of the result says
# what was assumed. A false assumption verifies nothing, and says so; without the option nothing is assumed.
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; G=$PWD/graphs/cuda.json
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, expected $3: $(tail -n 2 "$W/stderr")"; fails=1; fi; }
cd "$W" || exit 1
cat >labels.c <<'C'
#pragma regraph size(n=20000, m=60000) size(n=60, m=150) size(n=3, m=5) extent(nbr: m) input(label: uniform(0, 40000)) role(label: inout) input(none: constant(0))
void spread(int n, int m, const int *off, const int *nbr, const int *none, int *label)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            int best = label[i];
            if (best == *none) continue;
            for (int e = off[i]; e < off[i + 1]; e++)
                if (label[nbr[e]] != *none && label[nbr[e]] < best) best = label[nbr[e]];
            if (best < label[i]) { label[i] = best; changed = 1; }
        }
    }
}
C
cat >running.c <<'C'
#pragma regraph size(n=20000) size(n=60)
void running(int n, float *a, const int *p)
{
    for (int i = 1; i < n; i++) a[i] = a[p[i] % i] * 0.5f + a[i];
}
#pragma regraph input(p: uniform(0, n-1))
C
run() { "$S" "$@" --device sim:h200 --graph "$G" --no-learn --evals 3 --force --json >stdout 2>stderr </dev/null; }
run labels.c --out plain; ok plain-json "$(grep -c '"assumed": null' stdout)" 1
ok plain-certificate "$(grep -c '"assumed"' plain/certificate.json)" 0
run labels.c --assume order-free --out taken; rc=$?; ok taken $((rc <= 1)) 1
ok taken-parallel "$(grep -c '"parallel": "true"' stdout)" 1
ok taken-json "$(grep -c '"assumed": "order-free: loop i (labels.c:6) may run in any order: label as it found it"' stdout)" 1
ok taken-certificate "$(grep -c 'order-free: loop i' taken/certificate.json)" 1
ok taken-report "$(grep -c 'assumed by the user, not proven' taken/report.html)" 1
"$B/regraph-verify" taken/certificate.json >stdout 2>stderr; ok verify-says "$(grep -c 'assumed by the user, not proven' stdout)" 1
"$S" labels.c --assume order-free --explain --graph "$G" --device sim:h200 >stdout 2>stderr; ok explain-says "$(grep -c 'assumed, not proven' stdout)" 1
run running.c --assume order-free --out false; ok false $? 6; ok false-says "$(grep -c 'what --assume took may be false: order-free: loop i' stderr)" 1
run labels.c --assume free --out bad; ok unknown $? 2
run --problem taken/problem.json --assume order-free --out again; ok of-a-problem $? 2
exit $fails
