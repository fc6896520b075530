#!/bin/sh
# network-namespace.sh <command…>: runs the command in its own network namespace, with a loopback for the DNS lab and with
# addresses at which a client is no loopback client. As root it also gets a mount namespace, so that no file system of a
# test stays mounted.
# If that is not available (macOS, a restricted container), it runs the command without one.
# The user stays the same, because PostgreSQL refuses to run as root.

PATH=$PATH:/usr/sbin:/sbin

# BIND listens only on addresses of an interface.
loopback='ip link set lo up && { ip addr add 127.10.2.1/32 dev lo 2>/dev/null || ip addr show lo | grep -qF 127.10.2.1; }'

# Addresses for documentation (RFC 5737, RFC 3849), inside only.
clients='ip addr add 192.0.2.80/32 dev lo; ip addr add 2001:db8::80/128 dev lo'

if [ "$(id -u)" -eq 0 ]; then
  namespace='unshare --net --mount'
else
  namespace='unshare --map-current-user --net --keep-caps'
fi

if $namespace sh -c "$loopback" >/dev/null 2>&1; then
  # Inside no proxy is reachable, and Bun's fetch would use one even for loopback.
  unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
  exec $namespace sh -c "$loopback; $clients; exec \"\$@\"" sh "$@"
fi

sh -c "$loopback" >/dev/null 2>&1
exec "$@"
