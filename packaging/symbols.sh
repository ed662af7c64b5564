#!/usr/bin/env bash
# The version script of libregraph: what the public headers declare is shown, everything else stays inside. Prints it.
# packaging/symbols.sh COMPILER...
set -eu
cd "$(dirname "$0")/.."
text=$(for h in include/rg/*.h; do echo "#include <rg/${h##*/}>"; done | "$@" -std=c11 -D_GNU_SOURCE -Iinclude -E -P -x c -)
echo 'REGRAPH_0 {'
echo 'global:'
{ grep -oE '\brg_[a-z][a-z0-9_]* *\(' <<<"$text"; grep -oE '^extern [^(;]*\brg_[a-z][a-z0-9_]*' <<<"$text" | grep -oE 'rg_[a-z0-9_]+$'; } |
    tr -d '( ' | LC_ALL=C sort -u | sed 's/.*/    &;/'
printf 'local:\n    *;\n};\n'
