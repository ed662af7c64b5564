#!/usr/bin/env bash
# certificate.json and regraph-verify: what agrees, what was tampered with, other devices, what is no certificate.
# test-deadline: 240
set -u
B=$(realpath "$BUILD"); S=$B/regraph-search; V=$B/regraph-verify
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 600 stdout stderr)"; fails=1; fi; }
said() { if grep -qE -- "$2" stdout stderr; then echo "ok $1"; else echo "not ok $1: said $(head -c 900 stdout stderr)"; fails=1; fi; }
verify() { "$V" "$@" >stdout 2>stderr </dev/null; }
edit() { sed -E "$3" "$1" >"$2"; cmp -s "$1" "$2" && { echo "not ok edit (changed nothing: $3)"; fails=1; }; }
cat >scale.c <<'C'
#pragma regraph size(n=200000) size(n=1000)
void scale(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = a * x[i] + 1; }
C
"$S" scale.c --device sim:h200 --no-learn --evals 6 -q --json --out out >stdout 2>stderr </dev/null; ok search $? 0
said json-names-it '"certificate": "out/certificate.json"'
C=out/certificate.json

verify $C; ok holds $? 0; said holds-said 'the certificate holds'
for what in 'ok +problem' 'ok +kernel +sha256' 'ok +file +best.cu' 'ok +device +sim:h200' 'ok +inputs +the same bytes in [0-9]+ of' 'ok +outputs +verified' 'ok +max error' 'ok +kernel +[0-9.]+ ms here'; do
    said "line '$what'" "$what"; done
mkdir alone; cp $C alone; verify alone/certificate.json; ok alone $? 0; said alone-said 'note +file +best.cu is not beside'
verify $C --seed 99; ok other-seed $? 0; said other-seed-said 'note +inputs +other values'
verify $C --device sim:a100; ok other-device $? 0; said other-device-said 'note +device +sim:a100 here, sim:h200'; said other-device-time 'note +kernel +[0-9]'
verify $C --json; ok json $? 0
for what in '"schema": "regraph-verify/1"' '"holds": true' '"outcome": "ok"' '"what": "max error"'; do said "json $what" "$what"; done

edit $C elsewhere.json 's/"cpu": "[^"]*"/"cpu": "Another 9000"/; s/"cc": "[^"]*"/"cc": "occ 1.0"/'
verify elsewhere.json; ok elsewhere $? 0; said elsewhere-processor 'note +processor .* here, Another 9000 in the certificate'; said elsewhere-compiler 'note +C compiler .*-O3.* here, occ 1.0 in'

# a kernel that computes something else: with its hash as it was, and with the hash that fits
edit $C out/kernel.json '/"cuda": /s/= a \* x/= 2 * a * x/'
verify out/kernel.json; ok tampered-kernel $? 1; said tampered-kernel-hash 'differs +kernel +it was changed'; said tampered-kernel-outputs 'differs +outputs +wrong'
read -r new old < <(grep -oE '[0-9a-f]{64}' stdout | tr '\n' ' ')
edit out/kernel.json out/rehashed.json "s/$old/$new/"
verify out/rehashed.json; ok rehashed-kernel $? 1; said rehashed-kernel-said 'ok +kernel +sha256'; said rehashed-kernel-outputs 'differs +outputs +wrong'
edit $C out/syntax.json 's/"cuda": ".*"/"cuda": "int"/'
verify out/syntax.json; ok kernel-without-syntax $? 1; said kernel-without-syntax-said 'differs +outputs +(compile|plan)'
edit $C out/problem.json.cert '/"problem": /s/"rtol":-1(\.0)?/"rtol":0.01/'
verify out/problem.json.cert; ok tampered-problem $? 1; said tampered-problem-said 'differs +problem +it was changed'
edit $C out/slow.json "s/(\"kernel_ms\": ).*,/\1$(awk '/"kernel_ms"/ { print $2 / 2 }' $C),/"
verify out/slow.json; ok slower $? 0; said slower-said 'warning +kernel .*\+100.0 %'
echo '// mine' >>out/best.cu; verify $C; ok changed-file $? 1; said changed-file-said 'differs +file +best.cu was changed'

# C of a stranger's that writes files and starts programs, when it is loaded and when it runs; flags that make the compiler write
if ! grep -q landlock /sys/kernel/security/lsm 2>/dev/null && ! "$B/regraph-doctor" 2>/dev/null | grep -q 'closed to candidates: files'; then
    echo "skip foreign-c (no Landlock)"
else
    evil="extern int open(const char *, int, ...); extern int system(const char *); __attribute__((constructor)) static void evil(void) { open(\\\\\"$W/pwned\\\\\", 65, 0600); system(\\\\\"touch $W/pwned\\\\\"); }\\\\n"
    edit $C out/evil.json "/\"problem\": /s|\"reference_c\":\"|&$evil|"
    verify out/evil.json; ok foreign-c-runs $? 1; said foreign-c-runs-said 'ok +outputs +verified'
    [ -e "$W/pwned" ] && { echo "not ok foreign-c: it wrote $W/pwned"; fails=1; } || echo "ok foreign-c"
    edit $C out/flags.json "/\"problem\": /s|\"cflags\":\"\"|\"cflags\":\"-MD -MF $W/pwned\"|"
    verify out/flags.json; [ -e "$W/pwned" ] && { echo "not ok foreign-flags: the compiler wrote $W/pwned"; fails=1; } || echo "ok foreign-flags"
    cp out/best.cu "$W/copy.cu"; edit $C out/evil2.json "/\"problem\": /s|\"reference_c\":\"|&__attribute__((constructor)) static void evil(void) { __builtin_printf(\\\\\"harmless\\\\\"); }\\\\n|"
    verify out/evil2.json; said foreign-c-prints 'ok +outputs +verified'
fi

verify out/best.cu; ok no-certificate $? 3; said no-certificate-said 'best.cu:1:1: not valid JSON'
verify nowhere.json; ok missing $? 3; said missing-said 'cannot open'
edit $C out/none.json '/"plan": /d'; verify out/none.json; ok member-missing $? 3; said member-missing-said 'kernel.plan" is missing'
edit $C out/noprob.json '/"problem": /s/"params":/"prams":/'; verify out/noprob.json; ok problem-malformed $? 3; said problem-malformed-said 'params'
verify $C --device sim:nothing; ok no-device $? 4
verify $C $C; ok usage $? 2
verify; ok usage-none $? 2
exit $fails
