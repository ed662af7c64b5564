#!/usr/bin/env bash
# make web (tools/web.sh): bundles are made again when what they are made of has changed, whatever the times of the files say, as in a tree that
# was copied with its build. Stand-ins take the place of npm and esbuild.
set -u
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT
mkdir -p "$T/tree/tools" "$T/tree/web/page" "$T/bin"
cp tools/web.sh "$T/tree/tools/"
cat >"$T/bin/npm" <<'N'
#!/bin/sh
echo "$*" >>"$NPM_LOG"
mkdir -p node_modules/.bin
printf '#!/bin/sh\nfor w; do case $w in --outfile=*) cat "$1" >"${w#--outfile=}" ;; esac; done\n' >node_modules/.bin/esbuild
chmod +x node_modules/.bin/esbuild
N
chmod +x "$T/bin/npm"
export PATH=$T/bin:$PATH NPM_LOG=$T/npm.log
cd "$T/tree" || exit 1
echo '{}' >web/package.json; echo '{}' >web/package-lock.json; echo 'one' >web/page/main.js
bad=0
t() { if eval "$2" >"$T/out" 2>&1; then echo "ok web_bundles.$1"; else echo "not ok web_bundles.$1: $2: $(head -n 3 "$T/out")"; bad=1; fi; }
asked() { wc -l <"$NPM_LOG"; }
bundle() { tools/web.sh bundle build page; }
t made 'bundle && [ "$(cat build/web/page.js)" = one ] && [ $(asked) = 1 ] && [ -z "$(tools/web.sh stale build page)" ]'
t made_once 'echo kept >>build/web/page.js; bundle && grep -q kept build/web/page.js && [ $(asked) = 1 ]'
t other_sources 'echo two >web/page/main.js; touch -d tomorrow build/web/page.js; [ "$(tools/web.sh stale build page)" = build/web/page.js ] && bundle && [ "$(cat build/web/page.js)" = two ] && [ $(asked) = 1 ]'
t same_sources 'touch -d tomorrow web/page/main.js; echo kept >>build/web/page.js; bundle && grep -q kept build/web/page.js'
t other_packages 'echo "{ }" >web/package-lock.json; bundle && [ $(asked) = 2 ]'
printf '#!/bin/sh\nexit 7\n' >"$T/bin/npm"
t npm_fails 'rm -r web/node_modules; echo three >web/page/main.js; ! bundle && [ "$(tools/web.sh stale build page)" = build/web/page.js ]'
exit $bad
