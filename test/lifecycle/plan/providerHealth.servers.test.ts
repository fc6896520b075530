import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { describeLab } from "../../support/lab/describeLab.ts"
import { labPowerDns, labService } from "../../support/labService.ts"
import { createTestConnection } from "../../support/TestConnection.ts"
import { get, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { waitForState } from "../../support/OAuthLab.ts"
import { createLabDomain } from "../../web/labCustomer.ts"

/** The service with a provider whose API answers each request with an error of its own. */
const serviceAtFailingApi = Layer.unwrapScoped(
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status: 503 }) })),
      (running) => Effect.promise(() => running.stop(true))
    )
    const settings = { baseUrl: `http://127.0.0.1:${server.port}` }
    return labService([{ ...labPowerDns, settings }], { environment: { LOG_LEVEL: "none" } })
  })
)

const connect = (key: string, name: string) =>
  Effect.gen(function* () {
    const domain = yield* createLabDomain(name)
    const records = [{ host: "www", type: "CNAME", value: "web.hostprov.net" }]
    const { created: connection } = yield* createTestConnection(key, { domain, records })
    return { connection, key, path: `/v1/connections/${connection.id}`, bearer: "" }
  })

/** The failure of a connection whose customer hands in a credential. */
const failWithKey = (connection: Effect.Effect.Success<ReturnType<typeof connect>>, key: string) =>
  Effect.gen(function* () {
    const credential = { apiToken: "any" }
    yield* post(`${connection.path}/authorization`, key, { method: "direct_credential", credential })
    return (yield* waitForState(connection, "failed")).failure
  })

const healthOf = (key: string) =>
  Effect.map(Effect.flatMap(get("/v1/providers", key), jsonOf), ({ providers }) =>
    Object.fromEntries(providers.map(({ health, id }: any) => [id, health]))
  )

describeLab("a provider whose API fails", (live) => {
  live("says so in the list of providers, and new connections are offered other ways first", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const failing = yield* Effect.forEach(["first-failing.com", "second-failing.com", "third-failing.com"], (name) =>
        connect(key, name)
      )
      const [first] = failing
      expect(first?.connection.provider.availableAuthorizationMethods).toEqual(["direct_credential", "manual"])
      expect((yield* healthOf(key))["lab-pdns"]).toBeUndefined()
      const failures = yield* Effect.forEach(failing, (connection) => failWithKey(connection, key), {
        concurrency: "unbounded"
      })
      expect(failures.map(({ code, resumeState }) => [code, resumeState])).toEqual(
        failing.map(() => ["provider_unavailable", "authorized"])
      )
      const health = yield* healthOf(key)
      expect(health["lab-pdns"]).toMatchObject({ calls: 9, errorRate: 1, circuit: "open" })
      expect(health["cloudflare"]).toBeUndefined()
      const { connection } = yield* connect(key, "fourth-failing.com")
      expect(connection.provider.availableAuthorizationMethods).toEqual(["manual", "direct_credential"])
      expect(connection.provider.limitations).toContain(
        "Its API fails at present: 100 % of 9 calls in 5 minutes. Other ways come first until it works again."
      )
      expect(connection.provider.health.circuit).toBe("open")
      const next = yield* Effect.flatMap(post(`${first?.path}/authorization`, key, { method: "manual" }), jsonOf)
      expect(next.connection.state).toBe("awaiting_manual")
    }).pipe(Effect.provide(serviceAtFailingApi))
  )
})
