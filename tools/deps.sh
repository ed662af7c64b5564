#!/usr/bin/env bash
# Brings the distribution packages that the build and the tests need: as root, or with DEPS=1 through sudo. Otherwise names
# each missing one and stops. Nothing is installed when nothing is missing.
set -u
need=()
want() { # what, package, test command
    eval "$3" >/dev/null 2>&1 || need+=("$2")
}
want cc gcc 'command -v cc'
want headers libc6-dev 'echo "#include <stdio.h>" | cc -E -'
want c++ g++ 'command -v c++' # a test compiles printed CUDA for the host
want make make 'command -v make'
want pkg-config pkg-config 'command -v pkg-config'
for m in jansson:libjansson-dev libpcre2-8:libpcre2-dev libcurl:libcurl4-openssl-dev igraph:libigraph-dev isl:libisl-dev gmp:libgmp-dev \
         libcrypto:libssl-dev zlib:zlib1g-dev cmocka:libcmocka-dev libseccomp:libseccomp-dev; do
    want "${m%%:*}" "${m##*:}" "pkg-config --exists ${m%%:*}"
done
want toml libtomlplusplus-dev 'pkg-config --exists tomlplusplus' # suites in TOML; without it they are JSON
want microhttpd libmicrohttpd-dev 'pkg-config --exists libmicrohttpd' # regraph-graph serve; without it that verb says so
want clang-c libclang-dev 'ls /usr/lib/llvm-*/include/clang-c/Index.h'
if [ ${#need[@]} -gt 0 ]; then
    run=
    if [ "$(id -u)" = 0 ]; then run=env; elif [ "${DEPS:-}" = 1 ]; then run=sudo; fi
    if [ -z "$run" ] || ! command -v apt-get >/dev/null; then
        echo "These packages are missing (Debian and Ubuntu names): ${need[*]}" >&2
        echo "Install them, or run the same command as root, or with DEPS=1 to use sudo." >&2
        exit 4
    fi
    log=$(mktemp)
    echo "installing: ${need[*]}"
    { $run apt-get update -qq && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}"; } >"$log" 2>&1 ||
        { cat "$log" >&2; rm -f "$log"; echo "could not install: ${need[*]}" >&2; exit 4; }
    rm -f "$log"
fi
given=${CUDA_HOME:-${CUDA_PATH:-${CUDA_ROOT:-}}} # as the Makefile looks
for d in ${given:-/usr/local/cuda /opt/cuda /usr/lib/cuda}; do [ -f "$d/include/nvrtc.h" ] && [ -f "$d/include/cuda.h" ] && exit 0; done
echo "No CUDA toolkit found (nvrtc.h and cuda.h${given:+ in $given/include}): install one (12.4 or newer; NVRTC's development package and the one with cuda.h are enough) or set CUDA_HOME." >&2
exit 4
