#!/bin/sh
# enclose.sh <command…>: runs the command in a network namespace of its own, with a loopback the DNS lab can use.
# Where there are no namespaces (macOS, a locked-down container), it runs the command as it is.
# The user stays the same: PostgreSQL refuses to run as root.

PATH=$PATH:/usr/sbin:/sbin

# BIND listens only on addresses that an interface has.
loopback='ip link set lo up && { ip addr add 127.10.2.1/32 dev lo 2>/dev/null || ip addr show dev lo | grep -qF 127.10.2.1/32; }'

for namespace in "unshare --net" "unshare --map-current-user --net --keep-caps"; do
  if $namespace sh -c "$loopback" >/dev/null 2>&1; then
    exec $namespace sh -c "$loopback; exec \"\$@\"" sh "$@"
  fi
done

sh -c "$loopback" >/dev/null 2>&1
exec "$@"
