#!/usr/bin/env bash
# regraph-doctor: what is there is said to be there, what is missing is named, and the exit code follows.
set -u
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
check() { if eval "$2"; then echo "ok $1"; else echo "not ok $1"; cat "$W/out"; fi; }
regraph-doctor >"$W/out" 2>&1; rc=$?
check healthy '[ $rc -eq 0 ] && grep -q "CUDA compiler ok  .*NVRTC" "$W/out" && grep -q "simulated     ok .*h200" "$W/out" && grep -qE "^Searches run on the" "$W/out"'
check race-checks 'grep -q "race checks   .*on the simulated device" "$W/out"'
mkdir "$W/tool"; printf '#!/bin/sh\n' >"$W/tool/compute-sanitizer"; chmod +x "$W/tool/compute-sanitizer"
PATH=$W/tool:$PATH regraph-doctor >"$W/out" 2>&1; rc=$?
check sanitizer-found '[ $rc -eq 0 ] && grep -q "race checks   ok .*on a GPU by $W/tool/compute-sanitizer" "$W/out"'
check no-keys '! OPENAI_API_KEY=sk-secret regraph-doctor 2>&1 | grep -q sk-secret'
CC=/nonexistent/cc regraph-doctor >"$W/out" 2>&1; rc=$?
check no-compiler '[ $rc -eq 4 ] && grep -q "C compiler    missing ./nonexistent/cc. does not run" "$W/out" && grep -q "^No search can run" "$W/out"'
# CC of several words; a compiler that runs and has no C library to link with
CC='env cc' regraph-doctor >"$W/out" 2>&1; rc=$?
check compiler-of-words '[ $rc -eq 0 ] && grep -q "C compiler    ok " "$W/out"'
printf '#!/bin/sh\ncase $1 in --version) echo bare 1.0 ;; *) echo "ld: cannot find crti.o" >&2; exit 1 ;; esac\n' >"$W/tool/bare"; chmod +x "$W/tool/bare"
CC=$W/tool/bare regraph-doctor >"$W/out" 2>&1; rc=$?
check compiler-without-library '[ $rc -eq 4 ] && grep -q "C compiler    missing it builds no library: ld: cannot find crti.o (.*libc6-dev" "$W/out"'
printf '#!/bin/sh\ncase " $* " in *" -E "*|*" --version "*) exec cc "$@" ;; esac\necho "ld: cannot find -lm: No such file or directory" >&2; echo "collect2: error: ld returned 1 exit status" >&2; exit 1\n' >"$W/tool/nolink"
chmod +x "$W/tool/nolink"
echo 'void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] *= 2; }' >"$W/f.c"
CC=$W/tool/nolink regraph-search "$W/f.c" --size n=1000 --evals 1 --device sim:h200 --no-learn --out "$W/o" >"$W/out" 2>&1; rc=$?
check linker-complaint '[ $rc -eq 3 ] && grep -q "ld: cannot find -lm" "$W/out"'
RG_LIBCLANG=/nonexistent.so regraph-doctor >"$W/out" 2>&1; rc=$?
check no-parser '[ $rc -eq 4 ] && grep -q "C parser      missing libclang is needed" "$W/out"'
regraph-doctor --frob >"$W/out" 2>&1; rc=$?
check wrong-option '[ $rc -eq 2 ]'
regraph-doctor >/dev/full 2>"$W/out"; rc=$?
check full-disk '[ $rc -eq 3 ]'
regraph-doctor --help >"$W/out" 2>&1; rc=$?
check help '[ $rc -eq 0 ] && grep -q "regraph-doctor" "$W/out"'
regraph-doctor --llm >"$W/out" 2>&1; rc=$?
check llm-without-server '[ $rc -eq 2 ] && grep -q -- "--llm-url" "$W/out"'
OPENAI_API_KEY=sk-secret regraph-doctor --llm --llm-url http://127.0.0.1:9/v1 --llm-model m >"$W/out" 2>&1; rc=$?
check llm-server-down '[ $rc -eq 5 ] && grep -q "answers       missing http://127.0.0.1:9" "$W/out" && ! grep -q sk-secret "$W/out"'
