# The service and nothing else: no build tools, no embedded database. Give it a DATABASE_URL.
# A digest pins the base: --build-arg BUN_IMAGE=oven/bun:1.4.5-alpine@sha256:…
ARG BUN_IMAGE=oven/bun:1.4.5-alpine

FROM ${BUN_IMAGE} AS packages
WORKDIR /service
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production --omit=optional --ignore-scripts \
  && rm -rf node_modules/effect/src node_modules/@effect/*/src node_modules/effect/dist/cjs node_modules/@effect/*/dist/cjs \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.md' \) -delete
RUN mkdir data

FROM ${BUN_IMAGE}
WORKDIR /service
COPY --from=packages /service/node_modules node_modules
# Holds the master key that is made where no MASTER_KEY is given; with one it stays empty.
COPY --from=packages --chown=bun:bun /service/data /data
COPY package.json tsconfig.json ./
COPY src src
# The pages at /docs are made of these.
COPY docs docs
# PUBLIC_URL has to be given: the service does not start in a container without it.
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data CONTAINER=true
VOLUME /data
EXPOSE 8080
USER bun
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["bun", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1))"]
CMD ["bun", "run", "src/main.ts"]
