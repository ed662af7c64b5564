#!/usr/bin/env bash
# web.sh bundle|stale BUILD NAME...: the bundles of the pages, BUILD/web/NAME.js and .css from web/NAME/main.js and what npm brings.
# `bundle` makes those that are not of the sources as they are; `stale` names the bundles that are there and are of others. What a bundle was made
# of is told by a hash beside it: times say nothing where a tree or its build was copied.
set -eu
cd "$(dirname "$0")/.."
verb=$1 out=$2/web; shift 2
hash_of() { sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-64; }
locked=$(printf '%s\0' web/package.json web/package-lock.json | hash_of)
sources=$({ find web -name node_modules -prune -o -type f \( -name '*.js' -o -name '*.css' -o -name 'package*.json' \) -print0; printf '%s\0' tools/web.sh; } | hash_of)
current() { [ "$(cat "$out/$1.from" 2>/dev/null)" = "$sources" ]; }
for name; do
    if [ "$verb" = stale ]; then
        [ ! -f "$out/$name.js" ] || current "$name" || echo "$out/$name.js"
        continue
    fi
    if [ -f "$out/$name.js" ] && current "$name"; then continue; fi
    if [ "$(cat web/node_modules/.from 2>/dev/null)" != "$locked" ]; then
        command -v npm >/dev/null || { echo 'make web needs node and npm' >&2; exit 4; }
        (cd web && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) >&2
        echo "$locked" >web/node_modules/.from
    fi
    mkdir -p "$out"
    echo "  WEB $out/$name.js"
    rm -f "$out/$name.from"
    web/node_modules/.bin/esbuild "web/$name/main.js" --bundle --minify --format=iife --target=es2020 --charset=utf8 --legal-comments=eof \
        --log-level=warning --outfile="$out/$name.js"
    echo "$sources" >"$out/$name.from"
done
