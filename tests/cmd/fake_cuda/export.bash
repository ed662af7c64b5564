# What the tests of exported files begin with: the programs, a folder of their own, what they say, and an nvcc (else they are skipped).
B=$(realpath "$BUILD"); S=$B/regraph-search; FAKE_CUDA=$(realpath tests/cmd/fake_cuda)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
export XDG_DATA_HOME=$W/data; cd "$W" || exit 1
fails=0
found() { [ "$2" -le 1 ]; ok "$1" $? 0; } # a kernel was: at such sizes the C may well be faster
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: '$2', wanted '$3'; $(head -c 400 stderr)"; fails=1; fi; }
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$NVCC" ] || { echo "skip NAME_auto (no nvcc)"; exit 0; }
