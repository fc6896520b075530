import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { connect } from "node:tls"
import { AskSecrets } from "../../src/administration/AskSecrets.ts"
import { ownTenancy } from "../persistence/connectionFixtures.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { withLayer } from "../support/effectTest.ts"
import { freePort } from "../support/freePort.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { apiInMemory, serviceUrl } from "../support/testApi.ts"
import { createInState } from "../http/support/commandFixtures.ts"

const caddy = Bun.which("caddy")

const refusal = caddy === null ? "there is no caddy on this machine (apt-get install caddy)" : undefined

/** Starts Caddy by the example, with certificates of its own authority, in front of a server that tells the host. */
const startCaddy = (askUrl: string) =>
  Effect.gen(function* () {
    const shop = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          hostname: "127.0.0.1",
          port: 0,
          fetch: ({ headers }) => new Response(`the shop of ${headers.get("host")}`)
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
    const port = freePort()
    const directory = temporaryDirectory()
    const settings = {
      ASK_URL: askUrl,
      UPSTREAM: shop.url.host,
      ISSUER: "internal",
      HTTP_PORT: String(freePort()),
      HTTPS_PORT: String(port)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        Bun.spawn([caddy ?? "caddy", "run", "--config", `${import.meta.dir}/../../examples/caddy/Caddyfile`], {
          env: { ...settings, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
          stdout: "ignore",
          stderr: "ignore"
        })
      ),
      (child) =>
        Effect.promise(() => {
          child.kill()
          return child.exited
        })
    )
    return port
  })

/** What a visitor of a host gets: the response to a request, or that there is no certificate. */
const visit = (port: number, host: string) =>
  Effect.async<string>((resume) => {
    const socket = connect({ host: "127.0.0.1", port, servername: host, rejectUnauthorized: false }, () =>
      socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    )
    let text = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    socket.on("end", () => resume(Effect.succeed(text.split("\r\n\r\n")[1] ?? text)))
    socket.on("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.succeed(error.code === "ECONNREFUSED" ? "not listening" : "no certificate"))
    )
  })

describeIfPossible("Caddy by the example", refusal, () =>
  withLayer("of a service", apiInMemory(), (live) =>
    live("serves the host of an active connection by TLS, and gets no certificate for another one", () =>
      Effect.gen(function* () {
        yield* createInState("active")
        const { secret } = yield* (yield* AskSecrets).issue(ownTenancy.applicationId)
        const port = yield* startCaddy(`${yield* serviceUrl}/v1/domains/allowed/${Redacted.value(secret)}`)
        const seen = yield* Effect.repeat(Effect.delay(visit(port, "shop.example.com"), "50 millis"), {
          until: (answer) => answer !== "not listening"
        })
        expect(seen).toBe("the shop of shop.example.com")
        expect(yield* visit(port, "other.example.com")).toBe("no certificate")
      })
    )
  )
)
