# SPDX-License-Identifier: Apache-2.0
# Fresh systems as debootstrap makes them, for the scripts beside this file: `make_root SUITE ROOT LOG`, `clear_root ROOT`.
[ "$(id -u)" = 0 ] || { echo 'roots: only root can make a root' >&2; exit 2; }
command -v debootstrap >/dev/null || { echo 'roots: debootstrap is not installed' >&2; exit 2; }
# Where debootstrap itself would look.
scripts=/usr/share/debootstrap/scripts
debian=${REJIG_DEBIAN:-$(sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)")}
ubuntu=${REJIG_UBUNTU:-$(sed -n 's/^[[:space:]]*default_mirror //p' $scripts/gutsy | grep -v -e old- -e ports | head -n 1)}

# Whatever is still mounted below a root is the machine's own: it is never removed.
clear_root() {
  umount "$1/proc" 2>/dev/null || umount -l "$1/proc" 2>/dev/null
  if grep -q " $1/" /proc/mounts; then
    echo "roots: something is mounted below $1, it stays" >&2
    exit 2
  fi
  rm -rf --one-file-system "$1"
}
# make_root SUITE ROOT LOG: fails when the archive cannot be reached.
make_root() {
  case $1 in
    jammy|noble) mirror=$ubuntu components=main,universe script=gutsy ;;
    *) mirror=$debian components=main script=sid ;;
  esac
  # A suite that is younger than this debootstrap is made like those before it.
  [ ! -e "$scripts/$1" ] || script=$1
  clear_root "$2"
  # The key of another system's archive is on few machines: what is fetched is used and thrown away.
  timeout 1800 debootstrap --variant=minbase --no-check-gpg --components=$components \
    "$1" "$2" "$mirror" "$scripts/$script" >"$3" 2>&1 || return
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  mount -t proc proc "$2/proc"
}
