import { describe, expect } from "bun:test"
import { Array, Duration, Effect, Either, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { Requester } from "../../../src/limits/RequestSource.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { lifecycleServices } from "../../../src/lifecycle/layer.ts"
import { DomainChecks } from "../../../src/lifecycle/plan/DomainChecks.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { releaseSlotWhile, WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import type { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import type { WebhookDeliveryStore } from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import { OAuthSessions } from "../../../src/security/OAuthSessions.ts"
import type { StoreFixture } from "../../persistence/StoreFixture.ts"
import type { Stores } from "../../persistence/stores/storeContract.ts"
import { live } from "../../support/effectTest.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { noOptions, platform, scriptedProvider, withoutLogs } from "../phases/scriptedProvider.ts"

type LifecycleStores = ApplicationStore | Exclude<Stores, Identifiers | StoreFixture | WebhookDeliveryStore>

const silent = tenancyOf("app", "silent")
const healthy = tenancyOf("app", "healthy")
const slots = 8

/** What a process with eight slots does for one tenant while the name servers of another one are silent. */
export const fairSchedulingContract = <E>(name: string, stores: Layer.Layer<LifecycleStores, E>): void => {
  const test: SchedulingTest = (title, body) => live(title, () => withProcess(stores, body))

  describe(name, () => {
    test("a healthy discovery that is requested after 200 silent ones of another tenant is planned while all of these wait", () =>
      Effect.gen(function* () {
        yield* Effect.forEach(Array.range(1, 200), (nth) => create(silent, `silent-${nth}.com`), { concurrency: 4 })
        yield* create(healthy, "example.com")
        yield* awaitStates(healthy, ["awaiting_authorization"])
        expect(new Set(yield* statesOf(silent))).toEqual(new Set(["requested"]))
      }))

    test("the silent discoveries of a tenant leave room for its healthy one", () =>
      Effect.gen(function* () {
        yield* Effect.forEach(Array.range(1, 40), (nth) => create(silent, `silent-${nth}.com`), { concurrency: 4 })
        yield* create(silent, "example.com")
        yield* Effect.repeat(statesOf(silent), {
          until: (states) => states.includes("awaiting_authorization"),
          ...poll
        })
        expect((yield* statesOf(silent)).filter((state) => state === "requested")).toHaveLength(40)
      }))

    test("as many silent discoveries of a tenant are under way as may wait, and the others stay due", (dns) =>
      Effect.gen(function* () {
        const { size } = yield* WorkSlots
        yield* Effect.forEach(Array.range(1, 10 * slots + 20), (nth) => create(silent, `silent-${nth}.com`))
        yield* Effect.repeat(size, { until: (size) => size === 10 * slots, ...poll })
        yield* create(healthy, "example.com")
        yield* awaitStates(healthy, ["awaiting_authorization"])
        expect([yield* size, dns.reads()]).toEqual([10 * slots, 10 * slots])
      }))

    test("domain checks of silent domains keep neither a discovery nor a check of another tenant waiting", () =>
      Effect.gen(function* () {
        const checks = yield* Effect.forEach(Array.range(1, 60), (nth) =>
          Effect.fork(check(silent, `silent-${nth}.com`))
        )
        yield* create(healthy, "example.com")
        yield* awaitStates(healthy, ["awaiting_authorization"])
        expect(Either.isRight((yield* check(healthy, "example.com")).planned)).toBe(true)
        const ended = Array.getSomes(yield* Effect.forEach(checks, Fiber.poll))
        const failures = yield* Effect.forEach(ended, Effect.flip)
        expect(new Set(failures.map(({ _tag }) => _tag))).toEqual(new Set(["ServiceBusy"]))
        expect(failures.length).toBeLessThan(60)
      }))

    test("connections of a tenant whose provider never answers keep no discovery of another tenant waiting", (dns) =>
      Effect.gen(function* () {
        yield* dns.setProviderSilent(true)
        yield* Effect.forEach(Array.range(1, 2 * slots), () => create(silent, "example.com"))
        yield* awaitStates(
          silent,
          Array.makeBy(2 * slots, () => "awaiting_authorization")
        )
        yield* authorizeAll(silent)
        yield* Effect.repeat(WorkSlots.pipe(Effect.flatMap(({ size }) => size)), {
          until: (size) => size >= slots,
          ...poll
        })
        yield* create(healthy, "example.com")
        yield* awaitStates(healthy, ["awaiting_authorization"])
        expect(new Set(yield* statesOf(silent))).toEqual(new Set(["authorized"]))
      }))

    test("every DNS query of a phase or a check belongs to its tenant", (dns) =>
      Effect.gen(function* () {
        yield* create(healthy, "example.com")
        yield* awaitStates(healthy, ["awaiting_authorization"])
        yield* check(silent, "example.com")
        expect(dns.requesters()).toEqual(["app/healthy", "app/silent"])
      }))
  })
}

type SchedulingTest = <E>(title: string, body: (dns: SilentDns) => Effect.Effect<unknown, E, Services>) => void

const withProcess = <E, E2>(
  stores: Layer.Layer<LifecycleStores, E>,
  body: (dns: SilentDns) => Effect.Effect<unknown, E2, Services>
) =>
  Effect.suspend(() => {
    const dns = silentDns()
    return Effect.provide(body(dns), Layer.merge(processOn(stores, dns), withoutLogs))
  })

/** A DNS with the zone of `example.com`, in which every other domain is silent for ever, outside the slots. */
const silentDns = () => {
  const acme = scriptedProvider("@ 300 A 192.0.2.1")
  const requesters = new Set<string>()
  let reads = 0
  const delegations = Layer.effect(
    Delegations,
    Effect.map(Delegations, ({ find: findAtAcme }) => {
      const find: typeof findAtAcme = (domain) =>
        Effect.flatMap(Requester, (requester) => {
          requesters.add(requester)
          if (domain === "example.com") return findAtAcme(domain)
          reads += 1
          return releaseSlotWhile(Effect.never)
        })
      return { find, findKept: find }
    })
  ).pipe(Layer.provide(acme.layer))
  return {
    layer: Layer.merge(acme.layer, delegations),
    setProviderSilent: acme.setProviderSilent,
    requesters: () => [...requesters].toSorted(),
    reads: () => reads
  }
}

type SilentDns = ReturnType<typeof silentDns>

/** The lifecycle with its dispatcher, as in a process without HTTP. */
const processOn = <E>(stores: Layer.Layer<LifecycleStores, E>, dns: SilentDns) =>
  Dispatcher.loop.pipe(
    Layer.provideMerge(lifecycleServices({ stateTimeouts: defaultStateTimeouts, phasesInFlight: slots })),
    Layer.provideMerge(OAuthSessions.layer),
    Layer.provideMerge(sealingLayer(masterKey(1))),
    Layer.provideMerge(Identifiers.layer),
    Layer.provide(dns.layer),
    Layer.provideMerge(stores)
  )

type Services = Layer.Layer.Success<ReturnType<typeof processOn>>

const create = (tenancy: Tenancy, domain: string) =>
  Effect.flatMap(Connections, (connections) =>
    connections.create(tenancy, { domain, records: [platform] }, Option.none(), { allowDuplicate: true })
  )

/** Gives the service a credential for each connection of a tenant. */
const authorizeAll = (tenancy: Tenancy) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const { list } = yield* ConnectionViews
    const all = yield* list(tenancy, {}, { limit: 1_000, maxBytes: 10_000_000 })
    const authorization = { credential: Redacted.make({ apiToken: "s3cret" }), consent: Option.none() }
    yield* Effect.forEach(all, ({ id }) => connections.authorizeWithCredential(tenancy, id, authorization, noOptions))
  })

const check = (tenancy: Tenancy, domain: string) =>
  Effect.flatMap(DomainChecks, ({ preview }) =>
    preview(tenancy, Either.getOrThrow(resolveIntent({ domain, records: [platform] })))
  )

const statesOf = (tenancy: Tenancy) =>
  Effect.flatMap(ConnectionViews, ({ list }) =>
    Effect.map(list(tenancy, {}, { limit: 1_000, maxBytes: 10_000_000 }), (all) => all.map(({ state }) => state))
  )

const poll = { schedule: Schedule.spaced(Duration.millis(20)) }

/** Waits until the connections of a tenant are in these states. */
const awaitStates = (tenancy: Tenancy, expected: ReadonlyArray<string>) =>
  Effect.repeat(statesOf(tenancy), { until: (states) => states.join() === expected.join(), ...poll })
