#!/bin/sh
# network-namespace.sh <command…>: runs the command in a network namespace of its own, with a loopback the DNS lab can use.
# Where that is not to be had (macOS, a locked-down container), it runs the command as it is.
# The user stays the same, because PostgreSQL refuses to run as root.

PATH=$PATH:/usr/sbin:/sbin

# BIND listens only on addresses that an interface has.
loopback='ip link set lo up && { ip addr add 127.10.2.1/32 dev lo 2>/dev/null || ip addr show lo | grep -qF 127.10.2.1; }'

if [ "$(id -u)" -eq 0 ]; then
  namespace='unshare --net'
else
  namespace='unshare --map-current-user --net --keep-caps'
fi

if $namespace sh -c "$loopback" >/dev/null 2>&1; then
  # No proxy is within reach from inside, and Bun's fetch would ask one even for loopback.
  unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
  exec $namespace sh -c "$loopback; exec \"\$@\"" sh "$@"
fi

sh -c "$loopback" >/dev/null 2>&1
exec "$@"
