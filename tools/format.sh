#!/usr/bin/env bash
# Formats the C of the tree by .clang-format, or with --check names the files that it would change (exit 1). One version of clang-format, as others break lines elsewhere.
# Not the C that users are to recognise as their own, nor what tests read: examples, inputs of tests.
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-14 >/dev/null || { echo 'clang-format-14 is missing (the package of that name)' >&2; exit 4; }
list() {
    git ls-files 'base/*.[ch]' 'ir/*.[ch]' 'engine/*.[ch]' 'regraph/*.[ch]' 'frontend/*.[ch]' 'poly/*.[ch]' 'runtime/*.[ch]' 'llm/*.[ch]' 'include/*.h' 'cmd/*.[ch]' 'cmd/*.cc' \
        'bench/*.[ch]' 'tests/*/test_*.c' 'tests/*/*.h' 'tests/fuzz/*.c' | grep -vE '^bench/(headlines|search_tables/problems|sim_kernels)/|^tests/(whole|poly/programs|poly/cases)/'
}
case ${1:-} in
--check)
    bad=$(list | xargs clang-format-14 --dry-run 2>&1 | sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: (warning|error): .*/\1/p' | sort -u)
    [ -z "$bad" ] || { echo "$bad"; exit 1; }
    ;;
'') list | xargs clang-format-14 -i ;;
*) echo 'usage: tools/format.sh [--check]' >&2; exit 2 ;;
esac
