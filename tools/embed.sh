#!/usr/bin/env bash
# embed.sh OUT.c FILE=NAME...: writes a C file that holds the files, each under its name, for rg_web_asset (cmd/asset.h). What it would write is
# compared first, contents by their hash: a program is only linked anew when a file has changed.
set -eu
out=$1; shift
new=$(mktemp "$out.XXXXXX")
trap 'rm -f "$new"' EXIT
{
    echo '/* Made by tools/embed.sh. */'
    echo '#include "cmd/asset.h"'
    echo '#include <string.h>'
    i=0
    for pair in "$@"; do
        file=$(realpath "${pair%%=*}")
        echo "/* ${pair#*=}: $(sha256sum <"$file" | cut -c 1-64) */"
        printf '__asm__(".pushsection .rodata\\n.balign 16\\nasset_%d: .incbin \\"%s\\"\\nasset_%d_end: .byte 0\\n.popsection");\n' $i "$file" $i
        printf 'extern const char asset_%d[], asset_%d_end[];\n' $i $i
        i=$((i + 1))
    done
    echo 'const struct rg_asset *rg_web_asset(const char *name)'
    echo '{'
    i=0
    for pair in "$@"; do
        echo "    static struct rg_asset a$i = {\"${pair#*=}\", asset_$i, 0};"
        echo "    if (!strcmp(name, a$i.name)) {"
        echo "        a$i.size = (size_t)(asset_${i}_end - asset_$i);"
        echo "        return &a$i;"
        echo '    }'
        i=$((i + 1))
    done
    echo '    return NULL;'
    echo '}'
} >"$new"
cmp -s "$new" "$out" || mv "$new" "$out"
