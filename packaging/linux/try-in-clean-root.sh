#!/bin/sh
# try-in-clean-root.sh ROOT OLD.deb NEW.deb: what a person who installs the package meets, in a Debian without anything else.
# Run by `cargo xtask test --only package` as root in a mount and process space of its own.
set -eu
root=$1
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" 2>/dev/null || { mkdir -p "$root/dev/shm"; mount -t tmpfs tmpfs "$root/dev/shm"; }
for device in null zero random urandom tty; do
  [ -e "$root/dev/$device" ] || : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
cp "$2" "$root/tmp/old.deb"
cp "$3" "$root/tmp/new.deb"

step() { echo "-- $1"; }
as_person() { chroot "$root" su - person -s /bin/bash -c "$1"; }

chroot "$root" id person >/dev/null 2>&1 || chroot "$root" useradd --create-home person

step "the package before this one is installed, and a person works with it"
chroot "$root" dpkg --install /tmp/old.deb
as_person 'bordereau --version'
as_person 'bordereau quote --offline --state TX --type PN --line GEN-1002=9521 --effective 2026-02-23' | grep 461.77
as_person 'bordereau profile add "Kept office" --environment sandbox --address https://sandbox.example.com'

step "the new one is installed over it; what the person had is there"
chroot "$root" dpkg --install /tmp/new.deb
as_person 'bordereau profile list' | grep "Kept office"
as_person 'test -s /usr/share/bash-completion/completions/bordereau'
chroot "$root" test -s /usr/share/man/man1/bordereau.1

step "the window starts on the Practice profile"
as_person 'bordereau profile use practice >/dev/null
  export XDG_RUNTIME_DIR=$(mktemp -d) BORDEREAU_NO_GRAPHICS_GUARD=1
  xvfb-run -a -s "-screen 0 1280x900x24" dbus-run-session -- timeout 40 bordereau-desktop >window.log 2>&1 &
  for second in $(seq 40); do
    grep -q "the page is there" .local/share/bordereau/logs/bordereau.log 2>/dev/null && break
    sleep 1
  done
  pkill -TERM -x bordereau-deskt 2>/dev/null || true
  wait || true
  grep "the page is there" .local/share/bordereau/logs/bordereau.log | head -2 || { cat window.log; exit 1; }'

step "it is removed; what the person had stays"
chroot "$root" dpkg --purge bordereau
! chroot "$root" sh -c 'command -v bordereau bordereau-desktop'
as_person 'test -s .local/share/bordereau/desk.sqlite'
echo "-- all of it"
