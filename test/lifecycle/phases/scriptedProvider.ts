import { Array, Duration, Effect, Either, Layer, Logger, LogLevel, Option, Redacted, TestClock } from "effect"
import { DelegationTimedOut, DomainNotRegistered, ResolversUnavailable } from "../../../src/dns/zone/Delegation.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import { CachedResolver } from "../../../src/dns/zone/Resolver.ts"
import type { ZoneReadRequest } from "../../../src/dns/zone/QuestionSet.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import { ConnectionAction, type ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Consent } from "../../../src/domain/connection/ConnectionRecord.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import type { Plan } from "../../../src/domain/plan/Plan.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { Warning } from "../../../src/domain/plan/Warning.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import type { CancelRefused, FailureNotRetryable } from "../../../src/lifecycle/commands/commandErrors.ts"
import type { CommandEffect } from "../../../src/lifecycle/commands/defineCommand.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { decodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import type { ProviderClient } from "../../../src/providers/ProviderClient.ts"
import { ProviderFailure, type ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { isComputing } from "../../../src/runtime/computeInSlices.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { describeChange, exampleCom, zoneOf } from "../../support/planFixtures.ts"
import { scriptedZone } from "../../support/scriptedZone.ts"
import { trackCrypto } from "../../support/trackCrypto.ts"
import { storesInMemory, tenancyOf } from "../../support/testApi.ts"

/** The tenant of the connections of these tests, unless they name another one. */
export const tenancy = tenancyOf("app", "tenant")

/** `example.com` at a scripted provider, and the DNS that serves its zone. */
export const scriptedProvider = (...lines: ReadonlyArray<string>) => {
  const zone = scriptedZone(zoneOf(...lines))
  const state = {
    nameServers: ["ns1.acme-dns.net"],
    listed: Option.none<ReadonlyArray<string>>(),
    asked: Option.none<ReadonlyArray<string>>(),
    served: Option.none<ReadonlyArray<string>>(),
    isSilent: false,
    areResolversAway: false,
    hasSilentServer: false,
    isGone: false,
    refusal: Option.none<ProviderFailure>(),
    isProviderSilent: false,
    beforeOpenZone: Effect.void as Effect.Effect<void>,
    beforeDiscovery: Effect.void as Effect.Effect<void>
  }

  const client: ProviderClient = {
    credential: "api_token",
    openZone: () =>
      Effect.suspend(() => {
        const { beforeOpenZone } = state
        state.beforeOpenZone = Effect.void
        if (state.isProviderSilent) return Effect.never
        return Effect.zipRight(
          beforeOpenZone,
          Option.match(state.refusal, {
            onSome: Effect.fail,
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
      nameServers: Option.getOrElse(state.asked, () => Array.union(parentNameServers, childNameServers)).map(
        (name) => ({
          name,
          addresses: ["192.0.2.53"]
        })
      ),
      parentNameServers,
      childNameServers,
      hasParentChildMismatch: Option.isSome(state.listed),
      isSigned: false
    }
  }

  const find = () =>
    Effect.gen(function* () {
      const { beforeDiscovery } = state
      state.beforeDiscovery = Effect.void
      yield* beforeDiscovery
      if (state.areResolversAway) return yield* new ResolversUnavailable({ message: "no resolver answers" })
      if (state.isGone) return yield* new DomainNotRegistered({ domain: exampleCom })
      if (state.isSilent) return yield* new DelegationTimedOut({ domain: exampleCom })
      return delegation()
    })

  const served = () => ({
    ...Option.match(state.served, { onNone: zone.now, onSome: (lines) => zoneOf(...lines) }),
    basis: "public_dns" as const
  })

  const read = Effect.sync(() => ({
    zone: served(),
    hasDisagreement: false,
    isComplete: !state.hasSilentServer,
    wildcardRRsets: [],
    recordsOutside: [],
    unanswered: []
  }))

  const silentView = ({ hosts }: Pick<ZoneReadRequest, "hosts">) => ({
    server: { name: "silent.acme-dns.net", addresses: ["192.0.2.54"] },
    zone: { ...served(), records: [] },
    wildcardRRsets: [],
    unknownRRsets: hosts.flatMap(({ host, types }) =>
      types.map((type) => ({ host, type, reason: "timed_out" as const }))
    )
  })

  const viewsOf = (request: Pick<ZoneReadRequest, "hosts">) => [
    ...Option.getOrElse(state.asked, () => state.nameServers).map((name) => ({
      server: { name, addresses: ["192.0.2.53"] },
      zone: served(),
      unknownRRsets: [],
      wildcardRRsets: []
    })),
    ...(state.hasSilentServer ? [silentView(request)] : [])
  ]

  return {
    ...zone,
    /** What an adapter for this provider would make. */
    providerClient: client,
    /** The DNS and the providers that the lifecycle uses. */
    layer: Layer.mergeAll(
      Layer.succeed(Delegations, { find, findKept: find }),
      Layer.succeed(ZoneReader, {
        read: () => read,
        readNames: () => Effect.succeed([]),
        readPerServer: (request) =>
          Effect.map(read, (merged) => ({ views: viewsOf(request), merged: Either.right(merged) })),
        readAtOneServer: (request, turn) =>
          Effect.sync(() => {
            const views = viewsOf(request)
            return views.slice(turn % views.length, (turn % views.length) + 1)
          })
      }),
      Layer.succeed(PublicResolvers, { readPerResolver: () => Effect.succeed([]) }),
      Layer.succeed(CachedResolver, {
        requireAvailable: () => Effect.void,
        lookUp: (queries) =>
          Effect.succeed(queries.map((query) => [query, query.type === "A" ? ["192.0.2.200"] : []] as const))
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
    /** The name servers answer these records, whatever the provider has. */
    serve: (...lines: ReadonlyArray<string>) => Effect.sync(() => void (state.served = Option.some(lines))),
    /** The name servers answer the records of the provider. */
    serveZone: Effect.sync(() => void (state.served = Option.none())),
    /** Whether the parent zone answers that the domain does not exist. */
    setGone: (isGone: boolean) => Effect.sync(() => void (state.isGone = isGone)),
    /** Whether the zone has one more name server, which does not answer. */
    setSilentServer: (isSilent: boolean) => Effect.sync(() => void (state.hasSilentServer = isSilent)),
    setSilent: (isSilent: boolean) => Effect.sync(() => void (state.isSilent = isSilent)),
    /** Whether no resolver of the operator answers. */
    setResolversAway: (areAway: boolean) => Effect.sync(() => void (state.areResolversAway = areAway)),
    /** The provider never answers whoever opens the zone. */
    setProviderSilent: (isSilent: boolean) => Effect.sync(() => void (state.isProviderSilent = isSilent)),
    /** The provider refuses to open the zone with this code, or opens it again without one. */
    refuse: (code?: ProviderFailureCode, retryAfter?: Duration.DurationInput) =>
      Effect.sync(() => {
        const delay = retryAfter === undefined ? {} : { retryAfter: Duration.decode(retryAfter) }
        state.refusal = Option.map(
          Option.fromNullable(code),
          (code) => new ProviderFailure({ code, detail: "the script says so", ...delay })
        )
      }),
    /** The parent delegates to other name servers. */
    moveTo: (...nameServers: ReadonlyArray<string>) => Effect.sync(() => void (state.nameServers = [...nameServers])),
    /** The zone itself lists other name servers than the parent. */
    list: (...nameServers: ReadonlyArray<string>) => Effect.sync(() => void (state.listed = Option.some(nameServers))),
    /** Only these of the name servers are asked. */
    ask: (...nameServers: ReadonlyArray<string>) => Effect.sync(() => void (state.asked = Option.some(nameServers))),
    /** Runs an effect before the zone is opened the next time. */
    beforeNextOpenZone: (first: Effect.Effect<void>) => Effect.sync(() => void (state.beforeOpenZone = first)),
    /** Runs an effect before the zone cut is discovered the next time. */
    beforeNextDiscovery: (first: Effect.Effect<void>) => Effect.sync(() => void (state.beforeDiscovery = first))
  }
}

/** Runs due phases until none is in flight. The clock advances only while a phase waits for it. */
export const waitUntilIdle = Effect.gen(function* () {
  const { tick } = yield* Dispatcher
  const { size } = yield* WorkSlots
  let computations = 0
  yield* trackCrypto((change) => {
    computations += change
  })
  for (let turns = 0; (yield* tick) > 0 || (yield* size) > 0;) {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    if (computations > 0 || isComputing()) continue
    turns += 1
    if (turns % 50 === 0) yield* TestClock.adjust("1 second")
    if (turns > 5_000) return yield* Effect.dieMessage("the phases in flight do not end")
  }
}).pipe(Effect.scoped)

/** Advances the clock and runs the phases that are due then. */
export const advanceTime = (duration: Duration.DurationInput) =>
  Effect.zipRight(TestClock.adjust(duration), waitUntilIdle)

/** A desired record of the platform that no current record blocks. */
export const platform = { host: "shop", type: "CNAME", value: "shops.example.net" } as const

/** A command without conditions, of a caller that may call all. */
export const noOptions = {
  callableActions: ConnectionAction.literals,
  idempotency: Option.none(),
  ifVersion: Option.none()
}

/** Creates a connection that is not discovered yet. */
export const requestConnection = (records: IntentRequest["records"] = [platform], owner = tenancy) =>
  Effect.flatMap(Connections, (connections) =>
    Effect.map(
      connections.create(owner, { domain: "example.com", records }, Option.none(), { allowDuplicate: true }),
      ({ stored }) => stored.id
    )
  )

/** Creates a connection and discovers its zone. */
export const createDiscovered = (records: IntentRequest["records"] = [platform], owner = tenancy) =>
  Effect.zipLeft(requestConnection(records, owner), waitUntilIdle)

/** Commands on a connection; each also runs the phases that become due. */
export const commandsFor = (id: ConnectionId, owner = tenancy) => {
  const command = (name: "chooseManual" | "recheck" | "retry" | "cancel" | "disconnect") =>
    Effect.zipRight(
      Effect.flatMap(Connections, (connections): CommandEffect<FailureNotRetryable | CancelRefused> =>
        connections[name](owner, id, noOptions)
      ),
      waitUntilIdle
    )
  return {
    chooseManual: command("chooseManual"),
    recheck: command("recheck"),
    retry: command("retry"),
    cancel: command("cancel"),
    disconnect: command("disconnect"),
    authorize: (consent: Consent | undefined = undefined) =>
      Effect.zipRight(
        Effect.flatMap(Connections, (connections) =>
          connections.authorizeWithCredential(
            owner,
            id,
            { credential: Redacted.make({ apiToken: "s3cret" }), consent: Option.fromNullable(consent) },
            noOptions
          )
        ),
        waitUntilIdle
      ),
    changeIntent: (records: IntentRequest["records"]) =>
      Effect.zipRight(
        Effect.flatMap(Connections, (connections) =>
          connections.update(owner, id, { intent: { domain: "example.com", records } }, noOptions)
        ),
        waitUntilIdle
      ),
    approve: (...acknowledged: ReadonlyArray<Warning>) => approvePlan(id, () => acknowledged, owner),
    acknowledgeAndApprove: approvePlan(id, ({ warnings }) => warnings, owner)
  }
}

const approvePlan = (id: ConnectionId, acknowledgedOf: (plan: Plan) => ReadonlyArray<Warning>, owner: Tenancy) =>
  Effect.gen(function* () {
    const { plan } = yield* readConnection(id, owner)
    if (plan === undefined) return yield* Effect.dieMessage("there is no plan to approve")
    const connections = yield* Connections
    const approval = { digest: plan.digest, acknowledged: acknowledgedOf(plan), putBack: [] }
    yield* connections.approve(owner, id, approval, noOptions)
    yield* waitUntilIdle
  })

/** A connection as the API shows it. */
export const readConnection = (id: ConnectionId, owner = tenancy) =>
  Effect.flatMap(ConnectionStore, (store) => Effect.map(store.find(owner, id), ({ doc }) => decodeConnection(doc)))

/** The state of a connection, with the failure code and the state in which a retry resumes. */
export const readState = (id: ConnectionId, owner = tenancy) =>
  Effect.map(readConnection(id, owner), ({ failure, state }) =>
    failure === undefined ? state : `${state}: ${failure.code} → ${failure.resumeState ?? "nowhere"}`
  )

/** The changes of the current plan, one line each. */
export const readPlannedChanges = (id: ConnectionId, owner = tenancy) =>
  Effect.map(readConnection(id, owner), ({ plan }) => plan?.changes.map(describeChange))

/** A connection with its progress. */
export const readConnectionRecord = (id: ConnectionId) =>
  Effect.flatMap(ConnectionStore, (store) => store.findRecord(tenancy, id))

export const initialRecords = ["@ 300 A 192.0.2.1", "@ 300 MX 10 mail.example.com", "mail 300 A 192.0.2.2"]

/** The initial zone with more records. */
export const zoneWith = (...lines: ReadonlyArray<string>) => zoneOf(...initialRecords, ...lines)

/** These tests provoke failures, which would fill the log. */
export const withoutLogs = Logger.minimumLogLevel(LogLevel.None)

export type LifecycleServices = Layer.Layer.Success<ReturnType<typeof lifecycleInMemory>>

export type ScriptedProvider = ReturnType<typeof scriptedProvider>

/** A test at this provider, where the domain has a web server and mail. */
export const acmeTest = <A, E>(
  name: string,
  body: (acme: ScriptedProvider) => Effect.Effect<A, E, LifecycleServices>
): void =>
  effect(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(body(acme), Layer.provideMerge(lifecycleInMemory(acme.layer), withoutLogs))
  })

/** The same, where applications need a proof of control. */
export const controlTest = <A, E>(
  name: string,
  body: (acme: ScriptedProvider) => Effect.Effect<A, E, LifecycleServices>,
  controlProof: ControlProof = "required"
): void =>
  effect(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(
      body(acme),
      Layer.provideMerge(lifecycleInMemory(acme.layer, storesInMemory, controlProof), withoutLogs)
    )
  })
