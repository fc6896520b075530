import { expect } from "bun:test"
import { Effect, FastCheck as fc, Option, Redacted, Runtime } from "effect"
import { AdminKeys } from "../../src/security/AdminKeys.ts"
import { testDomains } from "../../src/testmode/testDomains.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { propertyRuns } from "../support/propertyRuns.ts"
import { scriptedService } from "../support/scriptedService.ts"
import { issueKey, tenancyOf } from "../support/testApi.ts"
import { type Receiver, startReceiver } from "../webhooks/Receiver.ts"
import { issueTestAdminKey, issueTestKey, requesterWith, type TestModeAnswer } from "./testModeService.ts"

type Send = Effect.Effect.Success<ReturnType<typeof requesterWith>>["send"]

/** One of the two environments of a service, as those know it who may only see what is in it. */
interface ObservedEnvironment {
  readonly name: "live" | "test"
  readonly domains: ReadonlyArray<string>
  /** Sends a request with the key of one of two tenants. */
  readonly senders: ReadonlyArray<Send>
  readonly adminKey: string
  readonly receiver: Receiver
  /** All ids and secrets in its answers so far. */
  readonly known: Set<string>
  readonly connections: Array<CreatedResource>
  readonly endpoints: Array<CreatedResource>
  readonly tokens: Array<string>
  readonly askPaths: Array<string>
}

/** Something that a tenant has created. */
interface CreatedResource {
  readonly id: string
  readonly tenant: number
}

/** A request of a story, by a tenant of one environment. */
interface EnvironmentRequest {
  readonly environment: "live" | "test"
  readonly tenant: number
  readonly call: (typeof calls)[number]
  /** Chooses among what there is. */
  readonly pick: number
}

const calls = [
  "create",
  "authorize",
  "approve",
  "read",
  "list",
  "change",
  "end",
  "events",
  "records",
  "check",
  "usage",
  "audit",
  "token",
  "browser",
  "endpoint",
  "deliveries",
  "admin",
  "ask",
  "foreign"
] as const

/** So that there are connections to ask for. */
const frequent: ReadonlyArray<EnvironmentRequest["call"]> = ["create", "create", "authorize", "approve", "foreign"]

const step = fc.record<EnvironmentRequest>({
  environment: fc.constantFrom("live", "test"),
  tenant: fc.constantFrom(0, 1),
  call: fc.constantFrom(...calls, ...frequent),
  pick: fc.nat(1_000)
})

const identifiers = /\b[a-z]{2,4}_[0-9a-z]{26}\b|\bdc[a-z]{1,3}_\w{20,}/g

/** What only the answers of one environment may contain besides its ids. */
const marksOf = { live: /-live\.com|acme-dns|note of live/i, test: /-test\.test|test-dns|note of test/i }

const otherOf = { live: "test", test: "live" } as const

concurrentTest("no answer and no webhook of one environment ever names or reaches anything of the other", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshDatabase)
    const domains = ["bakery-live.com", "florist-live.com", "printer-live.com"]
    const { layer } = yield* scriptedService(url, domains, { OUTBOUND_ALLOW: "127.0.0.0/8" })
    yield* Effect.gen(function* () {
      const adminKeys = yield* AdminKeys
      const liveAdmin = yield* adminKeys.issue({ name: Option.none(), environment: "live" })
      const tenants = ["tenant-1", "tenant-2"]
      const sendersOf = <E, R>(keyOf: (tenant: string) => Effect.Effect<string, E, R>) =>
        Effect.forEach(tenants, (tenant) =>
          Effect.map(Effect.flatMap(keyOf(tenant), requesterWith), ({ send }) => send)
        )
      const live = yield* makeEnvironment({
        name: "live",
        domains,
        senders: yield* sendersOf((tenant) => Effect.map(issueKey(tenancyOf("app", tenant)), ({ key }) => key)),
        adminKey: Redacted.value(liveAdmin.key)
      })
      const test = yield* makeEnvironment({
        name: "test",
        domains: testDomains.map(({ name }) => `story-test-${name}.test`),
        senders: yield* sendersOf((tenant) => issueTestKey(url, tenant)),
        adminKey: yield* issueTestAdminKey(url)
      })
      const environments = { live, test }
      const runtime = yield* Effect.runtime<never>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), (story) =>
            Runtime.runPromise(runtime)(
              Effect.forEach(
                story,
                (step) => play(environments[step.environment], environments[otherOf[step.environment]], step),
                {
                  discard: true
                }
              )
            )
          ),
          { numRuns: propertyRuns(12), endOnFailure: true }
        )
      )
      for (const environment of [live, test]) {
        expect([environment.name, environment.connections.length > 5]).toEqual([environment.name, true])
        for (const { text } of yield* environment.receiver.awaitRequests(1))
          check(environment, environments[otherOf[environment.name]], text)
      }
    }).pipe(Effect.provide(layer))
  })
)

const makeEnvironment = (fields: Pick<ObservedEnvironment, "name" | "domains" | "senders" | "adminKey">) =>
  Effect.map(startReceiver(), (receiver): ObservedEnvironment => ({
    ...fields,
    receiver,
    known: new Set(),
    connections: [],
    endpoints: [],
    tokens: [],
    askPaths: []
  }))

/** Fails if a text of one environment names anything that the other one knows; `sent` is what its own request named. */
const check = ({ known, name }: ObservedEnvironment, other: ObservedEnvironment, text: string, sent = "") => {
  const named = (text.match(identifiers) ?? []).filter((id) => !sent.includes(id))
  expect([text, named.filter((id) => other.known.has(id))]).toEqual([text, []])
  expect(sent === "" ? text : "").not.toMatch(marksOf[otherOf[name]])
  for (const id of named) known.add(id)
}

const play = (
  environment: ObservedEnvironment,
  other: ObservedEnvironment,
  { call, pick, tenant }: EnvironmentRequest
) =>
  Effect.gen(function* () {
    const own = choose(
      pick,
      environment.connections.filter((connection) => connection.tenant === tenant)
    )
    const endpoint = choose(pick, environment.endpoints)
    const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      Effect.tap((environment.senders[tenant] ?? dieWithoutSender)(method, path, body, headers), ({ json }) =>
        Effect.sync(() => check(environment, other, JSON.stringify(json)))
      )
    const at = `/v1/connections/${own?.id ?? "con_missing"}`
    const asAdmin = { "x-admin-key": environment.adminKey, "x-api-key": "" }
    switch (call) {
      case "create": {
        const nth = environment.connections.length
        // Both environments use the same keys, external ids and hosts.
        const body = {
          intent: {
            domain: choose(pick, environment.domains),
            records: [{ host: `host-${nth}`, type: "CNAME", value: "shops.example.net" }]
          },
          externalId: `order-${tenant}-${nth}`,
          metadata: { note: `note of ${environment.name}` },
          allowDuplicate: true
        }
        const headers = { "idempotency-key": `key-${tenant}-${nth}`, prefer: "wait=5" }
        const { json, status } = yield* send("POST", "/v1/connections", body, headers)
        expect([status, json.error?.code]).toEqual([201, undefined])
        environment.connections.push({ id: json.connection.id, tenant })
        return
      }
      case "authorize": {
        const method = pick % 2 === 0 ? "manual" : "direct_credential"
        const credential = method === "manual" ? {} : { credential: { apiToken: "acme-token" } }
        return yield* send("POST", `${at}/authorization`, { method, ...credential })
      }
      case "approve": {
        const { plan } = (yield* send("GET", at)).json.connection ?? {}
        const approval = { digest: plan?.digest ?? "", acknowledge: plan?.warnings ?? [] }
        return yield* send("POST", `${at}/approval`, approval)
      }
      case "read":
        return yield* send("GET", at)
      case "list":
        return yield* send("GET", `/v1/connections?limit=100&externalId=order-${tenant}-${pick % 5}`)
      case "change": {
        const records = [{ host: `changed-${pick}`, type: "CNAME", value: "shops.example.net" }]
        return yield* send("PATCH", at, { intent: { domain: choose(pick, environment.domains), records } })
      }
      case "end":
        return yield* send("POST", `${at}/${["cancel", "disconnect", "recheck"][pick % 3]}`, {})
      case "events":
        return yield* send("GET", `${at}/events`)
      case "records":
        return yield* send("GET", `${at}/records`)
      case "check":
        return yield* send("POST", "/v1/domains/check", { domain: choose(pick, environment.domains) })
      case "usage":
        return yield* send("GET", "/v1/usage")
      case "audit":
        return yield* send("GET", "/v1/audit?limit=100")
      case "token": {
        const { json } = yield* send("POST", `${at}/access-token`, { origin: "https://shop.example" })
        if (json.accessToken !== undefined) environment.tokens.push(json.accessToken)
        return yield* send("POST", `${at}/share-link`, {})
      }
      case "browser": {
        const bearer = { authorization: `Bearer ${choose(pick, environment.tokens)}`, origin: "https://shop.example" }
        return yield* send("GET", at, undefined, { ...bearer, "x-api-key": "" })
      }
      case "endpoint": {
        if (environment.endpoints.length > 1) return yield* send("POST", `/v1/webhook-endpoints/${endpoint?.id}/test`)
        const { json } = yield* send("POST", "/v1/webhook-endpoints", { url: environment.receiver.url })
        environment.endpoints.push({ id: json.endpoint.id, tenant })
        return
      }
      case "deliveries":
        return yield* send("GET", `/v1/webhook-endpoints/${endpoint?.id ?? "whe_missing"}/deliveries?limit=100`)
      case "admin": {
        const paths = ["", "/app", "/app/tenants", "/app/tenants/tenant-1", "/app/api-keys", "/app/webhook-endpoints"]
        return yield* send("GET", `/v1/admin/applications${choose(pick, paths)}`, undefined, asAdmin)
      }
      case "ask": {
        if (environment.askPaths.length === 0) {
          const { json } = yield* send("POST", "/v1/admin/applications/app/ask-secrets", undefined, asAdmin)
          environment.askPaths.push(json.path)
        }
        return yield* send(
          "GET",
          `${choose(pick, environment.askPaths)}?domain=host-${pick % 20}.${choose(pick, environment.domains)}`
        )
      }
      case "foreign":
        return yield* reachForForeign(environment, other, tenant, pick)
    }
  })

/** Asks with a key of one environment for what is in the other. */
const reachForForeign = (environment: ObservedEnvironment, other: ObservedEnvironment, tenant: number, pick: number) =>
  Effect.gen(function* () {
    const at = `/v1/connections/${choose(pick, other.connections)?.id ?? "con_missing"}`
    const endpoint = `/v1/webhook-endpoints/${choose(pick, other.endpoints)?.id ?? "whe_missing"}`
    const requests = [
      ["GET", at],
      ["GET", `${at}/events`],
      ["GET", `${at}/records`],
      ["POST", `${at}/recheck`, {}],
      ["POST", `${at}/disconnect`, {}],
      ["POST", `${at}/access-token`, { origin: "https://shop.example" }],
      ["GET", `/v1/test${at.slice(3)}/zone`],
      ["POST", `/v1/test${at.slice(3)}/advance`, { seconds: 1 }],
      ["GET", endpoint],
      ["PUT", endpoint, { url: environment.receiver.url, status: "paused" }],
      ["POST", `${endpoint}/test`]
    ] as const
    const [method, path, body] = requests[pick % requests.length] ?? requests[0]
    const { json, status }: TestModeAnswer = yield* (environment.senders[tenant] ?? dieWithoutSender)(
      method,
      path,
      body
    )
    expect([path, status]).toEqual([path, 404])
    check(environment, other, JSON.stringify(json), path)
  })

const choose = <A>(pick: number, all: ReadonlyArray<A>): A | undefined => all[pick % Math.max(1, all.length)]

const dieWithoutSender: Send = () => Effect.dieMessage("there are two tenants")
