#!/usr/bin/env bash
# in_root.sh ROOT FILE.c COMMAND: runs COMMAND in a root whose /usr is ROOT/usr with links to the rest of this machine's,
# in namespaces of its own (unshare -rm). ROOT: what a package unpacked. FILE.c is there as /tmp/x.c. Ends with 99 where no such root can be made.
set -u
[ "${IN_ROOT:-}" ] || exec env IN_ROOT=1 unshare -rm "$0" "$@"
root=$(mktemp -d)
{
    mount -t tmpfs none "$root" && mkdir "$root"/{host,dev,proc,tmp} && mount --rbind / "$root/host" && mount --rbind /dev "$root/dev" &&
        mount --rbind /proc "$root/proc" && cp -a "$1/usr" "$root/usr" && cp "$2" "$root/tmp/x.c"
} 2>/dev/null || exit 99
beside() { # links to what /usr/$1 has and the package has not
    (cd "/usr/$1" && ls -A) | while read -r x; do
        [ -e "$root/usr/$1/$x" ] || echo "/host/usr/$1/$x"
    done | xargs -d '\n' ln -s -t "$root/usr/$1"
}
for d in . bin lib share "lib/$(cd "$root/usr/lib" && echo *-linux-*)"; do beside "$d"; done
for d in bin sbin lib lib32 lib64 etc opt root; do [ ! -e "/$d" ] || ln -s "/host/$d" "$root/$d"; done
exec chroot "$root" env -i HOME=/tmp PATH=/usr/bin:/bin CUDA_HOME="${CUDA_HOME:-}" bash -c "cd /tmp && $3"
