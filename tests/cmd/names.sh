#!/usr/bin/env bash
# External names: each is defined once in all libraries together (a linker that takes what it needs would never tell), and begins with rg.
set -u
B=$(realpath "$BUILD")
defined() { nm -A --defined-only "$B"/lib*.a 2>/dev/null | awk '$2 ~ /^[TDBRC]$/ { print $3 }'; }
[ "$(defined | wc -l)" -gt 1000 ] || { echo "not ok names-found"; exit 1; }
rc=0
twice=$(defined | sort | uniq -d | grep -v '^__')
if [ -z "$twice" ]; then echo "ok names-once"; else echo "not ok names-once: $twice"; rc=1; fi
foreign=$(defined | grep -vE '^(rg_|__)' | sort -u)
if [ -z "$foreign" ]; then echo "ok names-prefixed"; else echo "not ok names-prefixed: $foreign"; rc=1; fi
exit $rc
