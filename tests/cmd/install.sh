#!/usr/bin/env bash
# make install, uninstall, deb: what is there, that it runs away from the tree, the library in C and C++, manual pages, completions.
# test-deadline: 420
set -u
cd "$(dirname "$0")/../.."
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
fails=0
ok() { if [ "$2" -eq 0 ]; then echo "ok install-$1"; else echo "not ok install-$1${3:+: $3}"; fails=1; fi; }
skip() { echo "skip install-$1 ($2)"; }
# A copy of the build: making for another PREFIX leaves the one under test alone. The compiler and its flags are the build's own.
flags=$(cat "$BUILD/flags")
case $flags in *-fsanitize*) skip all "a build with sanitizers cannot be installed"; exit 0 ;; esac
mkdir "$d/build" && (cd "$BUILD" && find . -path ./tests -prune -o -path ./test-output -prune -o -type f -print0 | xargs -0 cp -a --parents -t "$d/build")
unset MAKEFLAGS MFLAGS # a job server of the make that runs the tests is none of these'
make() { command make --no-print-directory BUILD="$d/build" CC="${flags%% -std=c11*}" "$@"; }
make "$d/build/flags" >/dev/null
cmp -s "$BUILD/flags" "$d/build/flags" || { skip all "built with flags that are not known here: make $d/build/flags"; exit 0; }

# --- into a folder, used from there ---
make install DESTDIR="$d/dest" >"$d/log" 2>&1; ok into-destdir $? "$(tail -n 3 "$d/log")"
mv "$d/dest/usr/local" "$d/moved"
run=$d/moved/bin/regraph-search
export XDG_DATA_HOME=$d/home
(cd "$d" && env -u RG_DEVICES PATH=/usr/bin:/bin timeout 60 "$run" "$OLDPWD/examples/saxpy.c" --evals 3 --device sim:a100 --quiet --out "$d/out" >"$d/log" 2>&1)
ok moved-prefix-runs $? "$(tail -n 3 "$d/log")"
grep -q 'steps' "$d/log"; ok moved-prefix-reports $?
[ -f "$d/home/regraph/cuda.json" ]; ok moved-prefix-has-graph $?

# --- another PREFIX: one file is compiled ---
make PREFIX="$d/else" install >"$d/log" 2>&1; ok other-prefix $? "$(tail -n 3 "$d/log")"
[ "$(grep -c '^  CC' "$d/log")" = 1 ]; ok other-prefix-compiles-one-file $? "$(grep '^  CC' "$d/log" | head -n 5)"
(cd "$d/else" && find . -type f -o -type l) | LC_ALL=C sort >"$d/there"
for f in bin/regraph-suite share/man/man1/regraph-graph.1 share/bash-completion/completions/regraph-search share/zsh/site-functions/_regraph-search \
    share/fish/vendor_completions.d/regraph-worker.fish lib/libregraph.so lib/pkgconfig/regraph.pc include/regraph/rg/search.h share/regraph/cuda.json \
    share/regraph/devices/h200.json share/doc/regraph/README.md share/doc/regraph/docs/graph.md share/doc/regraph/examples/sgemm.c; do
    grep -qx "./$f" "$d/there" || { ok "has $f" 1; }
done
touch "$d/else/bin/of-another"
make PREFIX="$d/else" uninstall; ok uninstall $?
[ "$(cd "$d/else" && find . -type f -o -type l)" = ./bin/of-another ]; ok uninstall-takes-all-and-no-more $? "$(find "$d/else" -type f | head)"

# --- the library ---
so=$d/moved/lib/libregraph.so.0
readelf -d "$so" | grep -q 'SONAME.*\[libregraph.so.0\]'; ok soname $?
shown=$(nm -D --defined-only "$so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }')
foreign=$(for s in $shown; do grep -qw "$s" include/rg/*.h || echo "$s"; done)
[ -n "$shown" ] && [ -z "$foreign" ]; ok exports-what-headers-declare $? "$foreign"
export PKG_CONFIG_PATH=$d/moved/lib/pkgconfig
if pkg-config --exists regraph; then
    flags_of() { pkg-config --define-variable=prefix="$d/moved" "$1" regraph; }
    for lang in c11 c++17; do
        case $lang in c11) compiler=cc of=c ;; *) compiler=c++ of=c++ ;; esac
        # shellcheck disable=SC2046
        $compiler -x $of -std=$lang -Wall -Wextra -Werror $(flags_of --cflags) docs/embed/optimise.c -x none $(flags_of --libs) -o "$d/optimise" 2>"$d/log"
        ok "program-in-$lang" $? "$(head -n 3 "$d/log")"
        rm -rf "$d/found"; mkdir "$d/found"
        env -u RG_DEVICES LD_LIBRARY_PATH="$d/moved/lib" timeout 60 "$d/optimise" examples/saxpy.c "$d/found" sim:a100 >"$d/log" 2>&1 && grep -q '20 candidates' "$d/log" && [ -s "$d/found/best.cu" ]
        ok "program-in-$lang-runs" $? "$(tail -n 2 "$d/log")"
    done
else
    skip program "no pkg-config"
fi

# --- manual pages and completions: every option that --help names ---
for p in "$d"/moved/bin/regraph-*; do
    p=${p##*/}
    words=$("$d/moved/bin/$p" --help | grep -oE '^ +(-., +)?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | grep -v -- --describe)
    for f in share/man/man1/$p.1 share/bash-completion/completions/$p share/zsh/site-functions/_$p share/fish/vendor_completions.d/$p.fish; do
        text=$(sed 's/\\-/-/g; s/ -l / --/' "$d/moved/$f")
        missing=$(for w in $words; do grep -qE -- "$w([^a-z-]|\$)" <<<"$text" || echo "$w"; done)
        [ -z "$missing" ] || ok "${f##*/}-has-all-options" 1 "$missing"
    done
    bash -n "$d/moved/share/bash-completion/completions/$p" || ok "bash-reads-$p" 1
done
ok options-everywhere 0
# what is typed, and what bash offers for it
. "$d/moved/share/bash-completion/completions/regraph-search"
. "$d/moved/share/bash-completion/completions/regraph-graph"
compopt() { :; }
offers() { COMP_WORDS=("${@:3}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); "_${3//-/_}"; [ "${COMPREPLY[*]}" = "$2" ]; ok "bash-$1" $? "${COMPREPLY[*]}"; }
offers option --llm-url regraph-search --llm-u
offers word 'on off' regraph-search --prune o
offers word-behind-equals 'auto' regraph-search --prune = a
offers words-of-a-flag 'passes kernel' regraph-search --explain =
offers verb merge regraph-graph me
offers option-of-a-verb '--prior' regraph-graph set --pr
if command -v zsh >/dev/null; then for f in "$d"/moved/share/zsh/site-functions/_*; do zsh -n "$f" || ok "zsh-reads-${f##*/}" 1; done; ok zsh 0; else skip zsh "no zsh"; fi
if command -v fish >/dev/null; then
    fish -c "source $d/moved/share/fish/vendor_completions.d/regraph-graph.fish; complete -C 'regraph-graph set --pr'" | grep -q '^--prior'; ok fish $?
else skip fish "no fish"; fi
if command -v groff >/dev/null; then
    complaints=$(for f in "$d"/moved/share/man/man1/*; do groff -man -ww -z "$f" 2>&1; done); [ -z "$complaints" ]; ok man $? "$complaints"
else skip man "no groff"; fi

# --- packages ---
if command -v dpkg-deb >/dev/null; then
    make deb >"$d/log" 2>&1; ok deb $? "$(tail -n 3 "$d/log")"
    dpkg-deb -f "$d"/build/regraph_*.deb Depends | grep -q 'libc6-dev | libc-dev'; ok deb-asks-for-what-builds-the-c $?
    dpkg -x "$d"/build/regraph_*.deb "$d/root"; ok deb-unpacks $?
    env -u RG_DEVICES CUDA_HOME="$(sed -n 's/.* -DRG_CUDA_HOME="\([^"]*\)".*/\1/p' <<<"${flags//\'/}")" tests/cmd/install/in_root.sh "$d/root" examples/saxpy.c \
        'which regraph-search && regraph-search x.c --evals 3 --device sim:a100 --quiet' >"$d/log" 2>&1
    rc=$?
    if [ $rc = 99 ]; then skip deb-in-a-clean-root "no root of one's own: unshare -rm"
    else ok deb-in-a-clean-root $rc "$(tail -n 3 "$d/log")"; grep -qx /usr/bin/regraph-search "$d/log"; ok deb-runs-the-installed $?; fi
else skip deb "no dpkg-deb"; fi
# The recipe with stand-ins for Spack's words: it runs, and asks for every library that tools/deps.sh brings and the programs link.
python3 - <<'END' 2>"$d/log"; ok spack-recipe $? "$(tail -n 1 "$d/log")"
import re, sys, types
asked, env = [], {}
word = types.ModuleType("spack.package")
word.MakefilePackage = type("MakefilePackage", (), {})
word.license = word.version = lambda *a, **k: None
word.depends_on = lambda spec, **k: asked.append(re.split(r"[@ +]", spec)[0])
word.make = lambda *targets: asked.extend("make " + t for t in targets)
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), word
exec(open("packaging/spack/package.py").read(), env)
recipe = env["Regraph"]()
recipe.build(None, "/p"), recipe.install(None, "/p")
made = re.findall(r"^([a-z][a-z-]*)(?: [a-z-]+)*:", "".join(open(f).read() for f in ("Makefile", "packaging/install.mk")), re.M)
called = {"libpcre2-8": "pcre2", "libcurl": "curl", "libcrypto": "openssl", "zlib": "zlib-api"}
deps = open("tools/deps.sh").read()
named = re.search(r"for m in (.*?); do", deps, re.S).group(1).replace("\\", " ").split() + re.findall(r"want (\S+) \S+ 'pkg-config --exists (\S+)'", deps)
for m in named:
    m = m[1] if isinstance(m, tuple) else m.split(":")[0]
    assert m == "cmocka" or called.get(m, m) in asked, "the recipe lacks " + m
for t in asked: assert not t.startswith("make ") or "=" in t or t[5:] in made, "no target for " + t
END
# The Containerfile's commands are shell, and what they name is there.
sed -n 's/^RUN //p' packaging/Containerfile >"$d/runs"; bash -n "$d/runs"; ok containerfile-commands $?
bad=$(grep -oE '(tools|packaging)/[a-z.]+' "$d/runs" | while read -r f; do [ -x "$f" ] || echo "$f"; done); [ -s "$d/runs" ] && [ -z "$bad" ]; ok containerfile-files $? "$bad"
if command -v spack >/dev/null; then spack python -c "exec(open('packaging/spack/package.py').read())" >/dev/null 2>&1; ok spack $?; else skip spack "no spack"; fi
# A base image with a CUDA toolkit must be there, as none is fetched; CONTAINER_BASE names another than the recipe's own.
base=${CONTAINER_BASE:-$(sed -n 's/^ARG CUDA=//p' packaging/Containerfile)} builder=
if command -v podman >/dev/null && podman image exists "$base" 2>/dev/null; then builder='podman build'
elif command -v buildah >/dev/null && buildah inspect --type image "$base" >/dev/null 2>&1; then builder='buildah bud'; fi
if [ -n "$builder" ]; then
    image=localhost/regraph-test-$$
    $builder --pull=never -q --build-arg CUDA="$base" -t "$image" -f packaging/Containerfile . >"$d/log" 2>&1; ok container $? "$(tail -n 3 "$d/log")"
    inside='cp /usr/share/doc/regraph/examples/saxpy.c . && regraph-search saxpy.c --evals 3 --no-learn --device sim:h200 -q'
    if [ "$builder" = 'podman build' ]; then podman run --rm "$image" sh -c "$inside" >"$d/log" 2>&1
    else c=$(buildah from --pull=never "$image") && buildah run "$c" -- sh -c "$inside" >"$d/log" 2>&1; fi
    [ $? -le 1 ] && grep -q '^  verified' "$d/log"; ok container-searches $? "$(tail -n 3 "$d/log")"
    [ -z "${c:-}" ] || buildah rm "$c" >/dev/null
    ${builder%% *} rmi "$image" >/dev/null 2>&1
else skip container "no podman or buildah with the image $base"; fi
if command -v doxygen >/dev/null; then
    make api-docs >"$d/log" 2>&1 && ! grep -q warning: "$d/log" && grep -rqs rg_search_run "$d/build/api-docs/html"; ok api-docs $? "$(grep -m 3 warning: "$d/log")"
else skip api-docs "no doxygen"; fi
exit $fails
