#!/bin/sh
# prove.sh [<proof>] [options]: without a proof all of them, each by this script. `provider` calls a vendor on the
# internet; every other proof has a network namespace of its own, with the name servers of the lab.

case "$1" in
  '' | -* | provider) exec bun run prove/main.ts "$@" ;;
esac
exec sh test/support/lab/network-namespace.sh bun run prove/main.ts "$@"
