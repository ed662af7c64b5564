#!/usr/bin/env bash
# CPUs by affinity and by cgroup: an allocation of one core starts one compile worker.
set -u
B=$(realpath "$BUILD")
W=$(mktemp -d); export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
G=; trap 'rm -rf "$W"; [ -z "$G" ] || rmdir "$G"' EXIT
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'"; fails=1; fi; }
cores() { grep machine | grep -oE '[0-9]+ cores?' | cut -d' ' -f1; }
first=$(taskset -cp $$ | grep -oE '[0-9]+([,-][0-9]+)*$' | grep -oE '^[0-9]+')
ok doctor-by-affinity "$(taskset -c "$first" "$B/regraph-doctor" | cores)" 1

cat >add.c <<'C'
void add(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += x[i]; }
C
taskset -c "$first" "$B/regraph-search" add.c -s n=4096 --device sim:h200 --no-learn -q --evals 0 --patience 0 --time 60 >out 2>&1 </dev/null &
search=$!
compilers() { pgrep -P "$search" -f -- '--role compile' | wc -l; }
n=0; for _ in $(seq 100); do n=$(compilers); [ "$n" -gt 0 ] && break; sleep 0.05; done
sleep 0.3; ok one-compile-worker "$(compilers)" 1
kill -INT "$search" 2>/dev/null; wait "$search"

quota() { # a group of half the machine's time on one CPU, or nothing
    if grep -qE ' - cgroup [^ ]+ [^ ]*\bcpu\b' /proc/self/mountinfo; then
        G=$(grep -E ' - cgroup [^ ]+ [^ ]*\bcpu\b' /proc/self/mountinfo | head -1 | cut -d' ' -f5)/regraph-test-$$
        mkdir "$G" && echo 100000 >"$G/cpu.cfs_period_us" && echo 50000 >"$G/cpu.cfs_quota_us" && return
    else
        G=/sys/fs/cgroup/regraph-test-$$
        mkdir "$G" && echo '50000 100000' >"$G/cpu.max" && return
    fi
    [ -d "$G" ] && rmdir "$G"
    G=; return 1
}
if quota 2>/dev/null && sh -c "echo \$\$ >$G/cgroup.procs" 2>/dev/null; then
    ok doctor-by-cgroup "$(sh -c "echo \$\$ >$G/cgroup.procs; exec $B/regraph-doctor" | cores)" 1
else
    echo "skip doctor-by-cgroup (no cgroup with a CPU quota can be made here)"
fi
exit $fails
