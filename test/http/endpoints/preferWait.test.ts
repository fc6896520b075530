import { expect } from "bun:test"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { EffectiveIntent, Intent } from "../../../src/domain/connection/Intent.ts"
import { Plan, PlanDigest } from "../../../src/domain/plan/Plan.ts"
import { DiscoverPhase } from "../../../src/lifecycle/phases/DiscoverPhase.ts"
import { ProvisionPhase } from "../../../src/lifecycle/phases/ProvisionPhase.ts"
import { RestorePhase } from "../../../src/lifecycle/phases/RestorePhase.ts"
import { ConfirmPhase } from "../../../src/lifecycle/phases/ConfirmPhase.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { PhaseRuns } from "../../../src/lifecycle/scheduler/PhaseRuns.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent } from "../../support/testApi.ts"
import { createInState } from "../support/commandFixtures.ts"
import { socketToService } from "../support/sendRaw.ts"

/** Discovery waits until this latch is open. */
const gate = Effect.unsafeMakeLatch(true)

const notRegistered = LifecycleEvent.DiscoveryFailed({ code: "domain_not_registered", provider: Option.none() })

const desiredRecord = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3_600, optional: false } as const

const discovered = LifecycleEvent.Discovered({
  provider: unknownProvider,
  effectiveIntent: EffectiveIntent.make({ domain: "found.example.com", records: [DnsRecord.make(desiredRecord)] }),
  optionalFailures: [],
  plan: Plan.make({
    digest: PlanDigest.make(`sha-256:${"0".repeat(64)}`),
    basis: "public_dns",
    changes: [{ action: "create", after: desiredRecord, destructive: false }],
    warnings: ["spf_policy_replaced"],
    expiresAt: DateTime.unsafeMake("2030-01-01T00:00:00.5Z")
  })
})

/** The API with its phases; discovery returns scripted events instead of querying the DNS. */
const apiWithPhases = Dispatcher.loop.pipe(
  Layer.provide(Layer.provide(Dispatcher.layer, PhaseRuns.layer)),
  Layer.provide(
    Layer.mergeAll(
      WorkSlots.layer({ capacity: 64 }),
      Layer.succeed(DiscoverPhase, {
        run: ({ connection: { intent } }) =>
          gate.whenOpen(Effect.succeed({ event: intent.domain === "found.example.com" ? discovered : notRegistered }))
      }),
      Layer.succeed(ProvisionPhase, { run: () => Effect.never }),
      Layer.succeed(RestorePhase, { run: () => Effect.never }),
      Layer.succeed(ConfirmPhase, { run: () => Effect.never })
    )
  ),
  Layer.provideMerge(apiInMemory())
)

const body = JSON.stringify({ intent: sampleIntent, allowDuplicate: true })

const create = (key: string, headers: Record<string, string>, domain = "example.com") =>
  post("/v1/connections", key, { intent: { ...sampleIntent, domain }, allowDuplicate: true }, headers)

/** Runs an effect while discovery is paused, and resumes discovery afterwards. */
const withPausedDiscovery = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    gate.close,
    () => body,
    () => gate.open
  )

/** What makes the scripted discovery find the domain of a connection whose records were written. */
const foundAndWritten = {
  connection: {
    intent: Intent.make({
      ...sampleIntent,
      domain: "found.example.com",
      records: [desiredRecord],
      existingRecordPolicy: { validateDmarc: true, validateCAA: true }
    })
  },
  progress: { hasWritten: true }
}

const stateOf = (path: string, key: string) =>
  Effect.map(Effect.flatMap(get(path, key), jsonOf), ({ connection }): string => connection.state)

withLayer("Prefer: wait", apiWithPhases, (live) => {
  live("answers after discovery, with the updated connection", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* create(key, { prefer: "wait=30" })
      const { connection } = yield* jsonOf(response)
      expect(response.status).toBe(201)
      expect(response.headers.get("preference-applied")).toBe("wait=30")
      expect(response.headers.get("etag")).toBe('"2"')
      expect(connection.state).toBe("failed")
      expect(connection.failure).toEqual({
        code: "domain_not_registered",
        message:
          "The registry says that the domain does not exist. Check its spelling; a new domain can be tried again after an hour.",
        retryable: true,
        resumeState: "requested",
        occurredAt: connection.updatedAt
      })
      expect(Object.keys(connection)).not.toContain("plan")
      expect(Object.keys(connection)).not.toContain("provider")
    })
  )

  live("shows the provider and the plan, whose create has no `before`", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { connection } = yield* jsonOf(yield* create(key, { prefer: "wait=30" }, "found.example.com"))
      expect(connection.state).toBe("awaiting_manual")
      expect(connection.provider).toEqual({
        id: "unknown",
        name: expect.any(String),
        implementation: "manual",
        availableAuthorizationMethods: ["manual"],
        authorizationInputs: { directCredential: "none", providerSession: "none" },
        capabilities: Object.fromEntries(Object.keys(unknownProvider.capabilities).map((name) => [name, "unknown"])),
        detection: { method: "none" },
        limitations: expect.any(Array)
      })
      expect(connection.plan).toEqual({
        digest: `sha-256:${"0".repeat(64)}`,
        basis: "public_dns",
        changes: [
          { action: "create", after: { ...desiredRecord, name: "shop.found.example.com" }, destructive: false }
        ],
        warnings: ["spf_policy_replaced"],
        warningDetails: [
          {
            code: "spf_policy_replaced",
            severity: "caution",
            requiresAcknowledgement: false,
            message: "The result for senders that the SPF record does not list changes.",
            changes: []
          }
        ],
        expiresAt: "2030-01-01T00:00:00.500Z"
      })
      expect(Object.keys(connection.plan.changes[0])).not.toContain("before")
      expect(Object.keys(connection)).not.toContain("failure")
    })
  )

  const spellings: ReadonlyArray<readonly [prefer: string, applied: string | null]> = [
    ["wait=30", "wait=30"],
    ["wait=31", "wait=30"],
    ["wait=999999999", "wait=30"],
    ["wait=5", "wait=5"],
    ['wait="5"', "wait=5"],
    ["WAIT = 5", "wait=5"],
    ["respond-async, wait=5; x=y", "wait=5"],
    ["return=minimal", null],
    ["await=5", null],
    ["wait=", null],
    ["wait=-1", null],
    ["wait=1.5", null],
    ["wait=soon", null]
  ]
  spellings.forEach(([prefer, applied]) =>
    live(`as ${prefer} is ${applied === null ? "ignored" : `applied as ${applied}`}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* create(key, { prefer })
        expect(response.status).toBe(201)
        expect(response.headers.get("preference-applied")).toBe(applied)
      })
    )
  )

  live("is optional: without it the response comes at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* withPausedDiscovery(create(key, {}))
      expect((yield* jsonOf(response)).connection.state).toBe("requested")
      expect(response.headers.get("etag")).toBe('"1"')
    })
  )

  const short = ["0", "1"]
  short.forEach((seconds) =>
    live(`answers with the current connection after ${seconds} seconds`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const response = yield* withPausedDiscovery(create(key, { prefer: `wait=${seconds}` }))
        expect(response.status).toBe(201)
        expect(response.headers.get("preference-applied")).toBe(`wait=${seconds}`)
        expect((yield* jsonOf(response)).connection.state).toBe("requested")
      })
    )
  )

  live("also applies to a replay, which shows the current connection", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const headers = { "idempotency-key": "waiting" }
      const first = yield* withPausedDiscovery(
        Effect.zipLeft(create(key, headers), create(key, { ...headers, prefer: "wait=0" }))
      )
      const replay = yield* create(key, { ...headers, prefer: "wait=30" })
      expect(replay.headers.get("idempotent-replayed")).toBe("true")
      expect(replay.headers.get("preference-applied")).toBe("wait=30")
      expect(replay.headers.get("etag")).toBe('"2"')
      const [before, after] = [yield* jsonOf(first), yield* jsonOf(replay)]
      expect([before.connection.state, after.connection.state]).toEqual(["requested", "failed"])
      expect(after.connection.id).toBe(before.connection.id)
    })
  )

  live("works for 40 requests at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, () => create(key, { prefer: "wait=30" })),
        { concurrency: "unbounded" }
      )
      const bodies = yield* Effect.forEach(answers, jsonOf)
      expect(new Set(bodies.map(({ connection }) => connection.state))).toEqual(new Set(["failed"]))
      expect(new Set(bodies.map(({ connection }) => connection.id)).size).toBe(40)
    })
  )

  live("keeps the connection if the client disconnects while waiting", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { connections } = yield* Tables
      connections.clear()
      yield* withPausedDiscovery(
        Effect.gen(function* () {
          const client = yield* socketToService
          client.write(
            `POST /v1/connections HTTP/1.1\r\nHost: service\r\nx-api-key: ${key}\r\n` +
              `Prefer: wait=30\r\nContent-Length: ${body.length}\r\n\r\n${body}`
          )
          yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => connections.size === 1 })
          client.destroy()
        })
      )
      const path = `/v1/connections/${[...connections.keys()].join()}`
      const state = yield* Effect.repeat(stateOf(path, key), { until: (state) => state !== "requested" })
      expect(state).toBe("failed")
    })
  )

  live("of disconnect answers with the plan that removes the records", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active", foundAndWritten)
      const response = yield* post(`${path}/disconnect`, key, "", { prefer: "wait=30" })
      const { connection } = yield* jsonOf(response)
      expect([response.status, response.headers.get("preference-applied")]).toEqual([200, "wait=30"])
      expect([connection.state, connection.direction]).toEqual(["awaiting_authorization", "restore"])
      expect(connection.plan.warnings).toEqual(["spf_policy_replaced"])
      expect(response.headers.get("etag")).toBe((yield* get(path, key)).headers.get("etag"))
    })
  )

  live("of disconnect answers with the failure if the domain cannot be read", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active", { progress: { hasWritten: true } })
      const { connection } = yield* jsonOf(yield* post(`${path}/disconnect`, key, "", { prefer: "wait=30" }))
      expect([connection.state, connection.failure.code]).toEqual(["awaiting_authorization", "domain_not_registered"])
    })
  )

  live("of retry answers after discovery, or after N seconds with the current state", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* create(key, { prefer: "wait=30" })
      const path = response.headers.get("location") ?? ""
      const paused = yield* withPausedDiscovery(post(`${path}/retry`, key, "", { prefer: "wait=1" }))
      expect((yield* jsonOf(paused)).connection.state).toBe("requested")
      yield* Effect.repeat(stateOf(path, key), { until: (state) => state === "failed" })
      const { connection } = yield* jsonOf(yield* post(`${path}/retry`, key, "", { prefer: "wait=30" }))
      expect(connection.state).toBe("failed")
    })
  )

  live("of a command after which no plan is made answers at once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      const response = yield* post(`${path}/authorization`, key, { method: "manual" }, { prefer: "wait=30" })
      expect((yield* jsonOf(response)).connection.state).toBe("awaiting_manual")
      expect(response.headers.get("preference-applied")).toBe("wait=30")
    })
  )

  live("of commands keeps no other request of the tenant from its work", () =>
    Effect.gen(function* () {
      const { key, path: other } = yield* createInState("active")
      const paths = yield* Effect.replicateEffect(
        Effect.map(createInState("active", foundAndWritten), ({ path }) => path),
        20
      )
      yield* withPausedDiscovery(
        Effect.gen(function* () {
          const disconnects = yield* Effect.fork(
            Effect.forEach(paths, (path) => post(`${path}/disconnect`, key, "", { prefer: "wait=20" }), {
              concurrency: "unbounded"
            })
          )
          yield* Effect.forEach(paths, (path) =>
            Effect.repeat(stateOf(path, key), { until: (state) => state !== "active" })
          )
          expect((yield* get(other, key)).status).toBe(200)
          yield* gate.open
          const answers = yield* Effect.flatMap(Fiber.join(disconnects), Effect.forEach(jsonOf))
          expect(answers.filter(({ connection }) => connection.plan === undefined)).toEqual([])
        })
      )
    })
  )

  live("returns the new ETag, and the earlier one no longer gives 304", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* create(key, { prefer: "wait=30" })
      const path = response.headers.get("location") ?? ""
      expect((yield* get(path, key, { "if-none-match": '"1"' })).status).toBe(200)
      expect((yield* get(path, key, { "if-none-match": '"2"' })).status).toBe(304)
    })
  )
})
