#!/bin/sh
# Lints docs/openapi.json with two linters, and type-checks the clients that two generators make of it.
# The tools are a package of their own: nobody who installs the service needs them. None of them needs the network.
set -eu
cd "$(dirname "$0")"
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
document=../../docs/openapi.json

bun install --frozen-lockfile --silent
PATH=$PWD/node_modules/.bin:$PATH
rm -rf generated
mkdir generated

lint() {
  redocly lint "$document" --config redocly.yaml --format=json >generated/redocly.json 2>/dev/null ||
    { cat generated/redocly.json; return 1; }
  grep -q '"warnings": 0' generated/redocly.json || { cat generated/redocly.json; return 1; }
  spectral lint "$document" --ruleset .spectral.yaml --fail-severity=hint
}

lint &
linting=$!
openapi-typescript "$document" --output generated/paths.ts
openapi-ts --input "$document" --output generated/sdk --silent
tsc --project .
wait "$linting"
echo "docs/openapi.json: no findings of redocly and spectral; both generated clients type-check"
