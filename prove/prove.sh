#!/bin/sh
# prove.sh <proof> [options]: `provider` calls a vendor on the internet; every other proof has a network namespace of its
# own, with the name servers of the lab.

if [ "$1" = provider ]; then
  exec bun run prove/main.ts "$@"
fi
exec sh test/support/lab/network-namespace.sh bun run prove/main.ts "$@"
