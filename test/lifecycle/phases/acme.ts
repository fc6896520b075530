import { Array, type Duration, Effect, Either, Layer, Logger, LogLevel, Option, Redacted, TestClock } from "effect"
import { DelegationTimedOut, DomainNotRegistered } from "../../../src/dns/zone/Delegation.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import { CachedResolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import type { ConnectionId } from "../../../src/domain/Connection.ts"
import type { Consent } from "../../../src/domain/ConnectionRecord.ts"
import type { IntentRequest } from "../../../src/domain/Intent.ts"
import type { Warning } from "../../../src/domain/Plan.ts"
import { anyTtl, Provider } from "../../../src/domain/Provider.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { PhasesInFlight } from "../../../src/lifecycle/scheduler/PhasesInFlight.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { decodeConnection } from "../../../src/persistence/stores/StoredConnection.ts"
import type { ProviderClient } from "../../../src/providers/ProviderClient.ts"
import { ProviderFailure, type ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory, phaseCapacity } from "../../support/lifecycleInMemory.ts"
import { capabilities, describeChange, exampleCom, zoneOf } from "../../support/planFixtures.ts"
import { scriptedZone } from "../../support/scriptedZone.ts"
import { tenancyOf } from "../../support/testApi.ts"

const tenancy = tenancyOf("app", "tenant")

/** `example.com` at a provider that does as it is told, and the DNS that serves what stands there. */
export const acmeZone = (...lines: ReadonlyArray<string>) => {
  const zone = scriptedZone(zoneOf(...lines))
  const state = {
    nameServers: ["ns1.acme-dns.net"],
    listed: Option.none<ReadonlyArray<string>>(),
    served: Option.none<ReadonlyArray<string>>(),
    isSilent: false,
    isGone: false,
    refusal: Option.none<ProviderFailureCode>(),
    beforeOpening: Effect.void as Effect.Effect<void>,
    beforeFinding: Effect.void as Effect.Effect<void>
  }

  const client: ProviderClient = {
    credential: "api_token",
    limits: { capabilities: capabilities("supported"), ttl: anyTtl },
    openZone: () =>
      Effect.suspend(() => {
        const { beforeOpening } = state
        state.beforeOpening = Effect.void
        return Effect.zipRight(
          beforeOpening,
          Option.match(state.refusal, {
            onSome: (code) => new ProviderFailure({ code, detail: "the script says so" }),
            onNone: () => Effect.succeed(zone.client)
          })
        )
      })
  }

  const delegation = () => {
    const parentNameServers = state.nameServers
    const childNameServers = Option.getOrElse(state.listed, () => parentNameServers)
    return {
      zone: exampleCom,
      nameServers: Array.union(parentNameServers, childNameServers).map((name) => ({
        name,
        addresses: ["192.0.2.53"]
      })),
      parentNameServers,
      childNameServers,
      hasParentChildMismatch: Option.isSome(state.listed),
      isSigned: false
    }
  }

  const find = () =>
    Effect.gen(function* () {
      const { beforeFinding } = state
      state.beforeFinding = Effect.void
      yield* beforeFinding
      if (state.isGone) return yield* new DomainNotRegistered({ domain: exampleCom })
      if (state.isSilent) return yield* new DelegationTimedOut({ domain: exampleCom })
      return delegation()
    })

  const served = () => ({
    ...Option.match(state.served, { onNone: zone.now, onSome: (lines) => zoneOf(...lines) }),
    basis: "public_dns" as const
  })

  const read = Effect.sync(() => ({ zone: served(), hasDisagreement: false }))

  return {
    ...zone,
    /** All that the lifecycle sees of this world. */
    layer: Layer.mergeAll(
      Layer.succeed(Delegations, { find }),
      Layer.succeed(ZoneReader, {
        read: () => read,
        readPerServer: () =>
          Effect.map(read, (together) => ({
            views: state.nameServers.map((name) => ({
              server: { name, addresses: ["192.0.2.53"] },
              zone: together.zone,
              unknownRRsets: []
            })),
            merged: Either.right(together)
          }))
      }),
      Layer.succeed(PublicResolvers, { readPerResolver: () => Effect.succeed([]) }),
      Layer.succeed(CachedResolver, {
        lookUp: (questions) =>
          Effect.succeed(questions.map((question) => [question, question.type === "A" ? ["192.0.2.200"] : []] as const))
      }),
      Providers.layer([
        {
          provider: Provider.make({ ...sampleProvider, id: "acme-dns" }),
          suffixes: ["acme-dns.net"],
          client,
          oauth: Option.none()
        }
      ])
    ),
    /** What the name servers answer, whatever the provider keeps. */
    serve: (...lines: ReadonlyArray<string>) => Effect.sync(() => void (state.served = Option.some(lines))),
    /** The name servers answer what the provider keeps. */
    serveZone: Effect.sync(() => void (state.served = Option.none())),
    /** The zone above says that there is no such domain. */
    setGone: (isGone: boolean) => Effect.sync(() => void (state.isGone = isGone)),
    setSilent: (isSilent: boolean) => Effect.sync(() => void (state.isSilent = isSilent)),
    /** The provider refuses to open the zone, until it is told to refuse nothing. */
    refuse: (code?: ProviderFailureCode) => Effect.sync(() => void (state.refusal = Option.fromNullable(code))),
    /** The parent delegates to other name servers. */
    moveTo: (...nameServers: ReadonlyArray<string>) => Effect.sync(() => void (state.nameServers = [...nameServers])),
    /** The zone itself lists other name servers than the parent. */
    list: (...nameServers: ReadonlyArray<string>) => Effect.sync(() => void (state.listed = Option.some(nameServers))),
    /** What happens when the zone is opened next, before that is done. */
    whenOpened: (first: Effect.Effect<void>) => Effect.sync(() => void (state.beforeOpening = first)),
    /** What happens when the domain is looked for next, before that is done. */
    whenSought: (first: Effect.Effect<void>) => Effect.sync(() => void (state.beforeFinding = first))
  }
}

/** Runs what is due, until nothing is under way. Time goes on only while what is under way waits for it. */
export const waitUntilIdle = Effect.gen(function* () {
  const { tick } = yield* Dispatcher
  const { free } = yield* PhasesInFlight
  for (let turns = 0; (yield* tick) > 0 || (yield* free) < phaseCapacity; turns += 1) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    if (turns % 50 === 49) yield* TestClock.adjust("1 second")
    if (turns > 5_000) return yield* Effect.dieMessage("what is under way does not end")
  }
})

/** Lets time go by, and what is due then happen. */
export const advanceTime = (duration: Duration.DurationInput) =>
  Effect.zipRight(TestClock.adjust(duration), waitUntilIdle)

/** A wanted record of the platform that nothing stands in the way of. */
export const platform = { host: "shop", type: "CNAME", value: "shops.example.net" } as const

const plainly = { idempotency: Option.none(), ifVersion: Option.none() }

/** A new connection, of which nothing is known yet. */
export const requestConnection = (records: IntentRequest["records"] = [platform]) =>
  Effect.flatMap(Connections, (connections) =>
    Effect.map(
      connections.create(tenancy, { domain: "example.com", records }, Option.none()),
      ({ stored }) => stored.id
    )
  )

/** A new connection once it is discovered. */
export const createDiscovered = (records: IntentRequest["records"] = [platform]) =>
  Effect.zipLeft(requestConnection(records), waitUntilIdle)

/** Commands, each with what follows from it at once. */
export const commandsFor = (id: ConnectionId) => {
  const command = (how: "chooseManual" | "recheck" | "retry" | "cancel" | "disconnect") =>
    Effect.zipRight(
      Effect.flatMap(Connections, (connections) => connections[how](tenancy, id, plainly)),
      waitUntilIdle
    )
  return {
    chooseManual: command("chooseManual"),
    recheck: command("recheck"),
    retry: command("retry"),
    cancel: command("cancel"),
    disconnect: command("disconnect"),
    letIn: (consent: Consent | undefined = undefined) =>
      Effect.zipRight(
        Effect.flatMap(Connections, (connections) =>
          connections.authorizeWithCredential(
            tenancy,
            id,
            { credential: Redacted.make({ apiToken: "s3cret" }), consent: Option.fromNullable(consent) },
            plainly
          )
        ),
        waitUntilIdle
      ),
    approve: (...acknowledged: ReadonlyArray<Warning>) =>
      Effect.gen(function* () {
        const { plan } = yield* readConnection(id)
        if (plan === undefined) return yield* Effect.dieMessage("there is no plan to approve")
        const connections = yield* Connections
        yield* connections.approve(tenancy, id, { digest: plan.digest, acknowledged, putBack: [] }, plainly)
        yield* waitUntilIdle
      })
  }
}

/** A connection as it is shown. */
export const readConnection = (id: ConnectionId) =>
  Effect.flatMap(ConnectionStore, (store) => Effect.map(store.find(tenancy, id), ({ doc }) => decodeConnection(doc)))

/** A connection in short: its state, and where it failed why and where a retry resumes. */
export const readState = (id: ConnectionId) =>
  Effect.map(readConnection(id), ({ failure, state }) =>
    failure === undefined ? state : `${state}: ${failure.code} → ${failure.resumeState ?? "nowhere"}`
  )

/** The plan that is shown, in words. */
export const readPlannedChanges = (id: ConnectionId) =>
  Effect.map(readConnection(id), ({ plan }) => plan?.changes.map(describeChange))

/** A connection as it stands, with how far it has come. */
export const readConnectionRecord = (id: ConnectionId) =>
  Effect.flatMap(ConnectionStore, (store) => store.findRecord(tenancy, id))

const atFirst = ["@ 300 A 192.0.2.1", "@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"]

/** The zone as it is at first, with more. */
export const zoneWith = (...lines: ReadonlyArray<string>) => zoneOf(...atFirst, ...lines)

/** Failures are what these tests are about. */
export const withoutLogs = Logger.minimumLogLevel(LogLevel.None)

export type LifecycleServices = Layer.Layer.Success<ReturnType<typeof lifecycleInMemory>>

export type Acme = ReturnType<typeof acmeZone>

/** A test in a world of this provider, where the domain has a web server and mail. */
export const acmeTest = <A, E>(name: string, body: (acme: Acme) => Effect.Effect<A, E, LifecycleServices>): void =>
  effect(name, () => {
    const acme = acmeZone(...atFirst)
    return Effect.provide(body(acme), Layer.merge(lifecycleInMemory(acme.layer), withoutLogs))
  })
