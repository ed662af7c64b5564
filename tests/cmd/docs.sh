#!/usr/bin/env bash
# The documentation against the tree: links lead somewhere, files and options that are named exist, commands that README and tutorial quote run.
# test-deadline: 240
set -u
cd "$(dirname "$0")/../.."
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
R=$PWD; export XDG_DATA_HOME=$W/data PATH=$(realpath "$BUILD"):$PATH
fails=0
ok() { if [ "$2" -eq 0 ]; then echo "ok docs-$1"; else echo "not ok docs-$1: ${3:-}"; fails=1; fi; }
skip() { echo "skip docs-$1 ($2)"; }
pages="README.md CHANGELOG.md $(ls docs/*.md bench/*.md)"

# pages are read in terminals and in diffs: a sentence is a line, and none is longer than 200 columns
bad=$(awk 'length > 200 { print FILENAME ":" FNR ": " length " columns" }' README.md docs/*.md); [ -z "$bad" ]; ok line-length $? "$bad"

# links
bad=$(for p in $pages; do
    grep -oE '\]\([^)# ]+' "$p" | cut -c3- | grep -vE '^[a-z]+:' | while read -r l; do [ -e "$(dirname "$p")/$l" ] || echo "$p: $l"; done
done); [ -z "$bad" ]; ok links $? "$bad"

# files in backticks: those whose first folder is one of the tree. Results (CHANGELOG) may name what was.
bad=$(for p in README.md docs/*.md; do
    grep -oE '`[a-zA-Z0-9_./*-]+`' "$p" | tr -d '`' | grep -E '^(base|bench|cmd|docs|engine|examples|frontend|graphs|include|ir|llm|packaging|poly|regraph|runtime|tests|tools)/' |
        grep -vE '/1$|[A-Z]{4,}\.[ch]$' | sort -u | while read -r f; do compgen -G "$f" >/dev/null || compgen -G "$f.c" >/dev/null || compgen -G "$(dirname "$p")/$f" >/dev/null || echo "$p: $f"; done
done); [ -z "$bad" ]; ok files $? "$bad"

# verbs of regraph-graph, and options on lines that call a program of ours (those of a worker are the protocol's: docs/worker.md)
known=$(for p in "$BUILD"/regraph-*; do [ ! -x "$p" ] || "$p" --describe bash; done | grep -oE -- '--[a-z][a-z-]*' | sort -u)
verbs=$(regraph-graph --help | sed -n '/^Verbs:/,$p' | awk 'NR > 1 { print $1 }')
bad=$(grep -noE '`?regraph-graph [a-z][a-z-]+' README.md docs/*.md | while IFS= read -r l; do
    v=${l##* }; case $l in *\`*) grep -qx -- "$v" <<<"$verbs" || echo "$l" ;; esac
done); [ -z "$bad" ]; ok verbs $? "$bad"
bad=$(grep -noE '(^    \$? ?|`)regraph-[a-z]+ [^`]*' README.md docs/*.md | grep -vE 'regraph-worker --(near|far|role)' | while IFS= read -r l; do
    for o in $(sed 's/ -- .*//; s/ #.*//' <<<"$l" | grep -oE -- '(^| )--[a-z][a-z-]*'); do grep -qx -- "$o" <<<"$known" || echo "$l: $o"; done
done); [ -z "$bad" ]; ok options $? "$bad"
# and every option of ours by itself in backticks is one
bad=$(grep -noE '`--[a-z][a-z-]*' README.md docs/{tutorial,disappointing,faq,glossary,install,LIMITS,compare}.md 2>/dev/null | while IFS= read -r l; do
    grep -qx -- "${l##*\`}" <<<"$known" || echo "$l"
done); [ -z "$bad" ]; ok options-alone $? "$bad"

# make targets that pages name
targets=$(grep -ohE '^[a-z][a-z-]*( [a-z-]+)*:' Makefile packaging/*.mk bench/search_tables/*.mk | tr -d : | tr ' ' '\n' | sort -u)
bad=$(grep -noE '(`|^    )make [a-z][a-z-]*' README.md docs/*.md | grep -vE 'make -' | while IFS= read -r l; do
    grep -qx -- "${l##* }" <<<"$targets" || echo "$l"
done); [ -z "$bad" ]; ok make-targets $? "$bad"

# commands: lines "    $ ..." in order, in a folder of their own
commands() { # page: runs what it quotes, here
    local c name n=0
    while IFS= read -r c; do
        n=$((n + 1)); name="$1-$n"; name=${name#"$R"/}
        case $c in *nvcc*|make\ *|./stars*|out/gravity/check*) command -v nvcc >/dev/null || { skip "$name" "no nvcc: $c"; continue; } ;; esac
        timeout 120 bash -c "$c" >"$W/log" 2>&1 </dev/null; ok "$(basename "$name")" $? "$c: $(tail -n 2 "$W/log")"
    done < <(sed -nE 's/^    \$ ([^#]*[^# ]).*/\1/p' "$1")
    [ $n -gt 0 ]; ok "$(basename "$1")-has-commands" $?
}
mkdir "$W/readme" && ln -s "$R/examples" "$W/readme/" && cd "$W/readme" && commands "$R/README.md"
cp -r "$R/docs/tutorial" "$W/tutorial" && cd "$W/tutorial" && commands "$R/docs/tutorial.md"
if command -v nvcc >/dev/null && ! nvidia-smi -L >/dev/null 2>&1; then ./stars 2>&1 | grep -q 'the kernel ran: no'; ok stars-says-who-ran $?; fi
exit $fails
