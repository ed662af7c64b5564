#!/usr/bin/env bash
# Which search a suite puts on which GPU: a machine of two, by a worker that knows cuda:0 and cuda:1 and a search that only tells where it is.
set -u
B=$(realpath "$BUILD"); R=$PWD
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 900 out.txt err.txt)"; fails=1; fi; }
mkdir bin; cp "$B/regraph-suite" bin
cat >bin/regraph-worker <<S
#!/bin/bash
args=("\$@")
for i in "\${!args[@]}"; do case \${args[i]} in cuda:0 | cuda:1) args[i]=sim:h200 ;; esac; done
exec "$B/regraph-worker" "\${args[@]}"
S
cat >bin/regraph-search <<S
#!/bin/bash
while [ \$# -gt 0 ]; do case \$1 in --device) device=\$2; shift ;; --out) name=\$(basename "\$2"); shift ;; esac; shift; done
echo "begin \$name \$device" >>"$W/events"
sleep 0.4
echo "end \$name \$device" >>"$W/events"
echo '{"device": "x", "estimated": false, "naive_ms": 2, "evaluations": 1, "best": {"kernel_ms": 1, "speedup_vs_naive": 2, "speedup_vs_sequential": 9, "steps": []}}'
S
chmod +x bin/*
for i in 1 2 3 4 5; do echo "void f$i(int n, float *x) { for (int i = 0; i < n; i++) x[i] *= 2; }" >p$i.c; done
cp "$R/graphs/cuda.json" g.json
suite() { : >events; bin/regraph-suite "$@" --graph g.json --no-learn >out.txt 2>err.txt </dev/null; }
# what was on a device when something began there, over all events: 0 where no two shared one
shared() {
    awk '$1 == "end" { delete on[$3 " " $2]; next }
         { for (k in on) { split(k, d, " "); if (d[1] ~ /^cuda/ && $3 ~ /^cuda/ && (d[1] == $3 || d[1] == "cuda:all" || $3 == "cuda:all")) n++ } on[$3 " " $2] = 1 }
         END { print n + 0 }' events
}
most() { awk '$1 == "begin" { if (++n > m) m = n } $1 == "end" { n-- } END { print m }' events; }
suite p1.c p2.c p3.c p4.c p5.c -o five -j 5; ok five-on-two $? 0
ok each-gpu-is-used "$(awk '$1 == "begin" { print $3 }' events | sort -u | tr '\n' ' ')" 'cuda:0 cuda:1 '
ok no-gpu-is-shared "$(shared)" 0; ok two-at-once "$(most)" 2
printf '{"problem": [{"file": "p1.c"}, {"file": "p2.c", "device": "cuda:1"}, {"file": "p3.c", "device": "cuda:all"}, {"file": "p4.c", "device": "sim:h200"}, {"file": "p5.c", "device": "cuda:1"}]}' >s.json
suite s.json -o own -j 5; ok own-devices $? 0
ok devices-are-theirs "$(awk '$1 == "begin" && $2 != "p1" { print $2, $3 }' events | sort | tr '\n' ' ')" 'p2 cuda:1 p3 cuda:all p4 sim:h200 p5 cuda:1 '
ok no-gpu-is-shared-with-all "$(shared)" 0
suite p1.c p2.c p3.c -o given -j 3 --device sim:h200,sim:a100; ok given-devices $? 0; ok simulated-ones-are-no-bound "$(most)" 3
first=$(taskset -cp $$ | grep -oE '[0-9]+([,-][0-9]+)*$' | grep -oE '^[0-9]+')
: >events; taskset -c "$first" bin/regraph-suite p1.c p2.c -o one --graph g.json --no-learn >out.txt 2>err.txt </dev/null; ok one-cpu $? 0; ok one-cpu-carries-one "$(most)" 1
exit $fails
