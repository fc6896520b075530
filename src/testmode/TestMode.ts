import { Array, Context, DateTime, Duration, Effect, Either, Layer, Option } from "effect"
import {
  Connection,
  ConnectionAction,
  type ConnectionId,
  Failure,
  finalStates
} from "../domain/connection/Connection.ts"
import { type ConnectionRecord, Progress } from "../domain/connection/ConnectionRecord.ts"
import { DomainName } from "../domain/names/DomainName.ts"
import { describeProblems, type ErrorDetail, limitErrorDetails } from "../domain/error/ErrorDetail.ts"
import { hostOfChange, Plan } from "../domain/plan/Plan.ts"
import { type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import { withoutValidation } from "../domain/values/boundedSchemas.ts"
import { Connections } from "../lifecycle/commands/Connections.ts"
import { StateConflict, Unprocessable } from "../lifecycle/commands/commandErrors.ts"
import { ConnectionReads } from "../lifecycle/commit/ConnectionReads.ts"
import { ConnectionSignals } from "../lifecycle/commit/ConnectionSignals.ts"
import type { QuotaExceeded } from "../limits/limitErrors.ts"
import { Quotas } from "../limits/Quotas.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { type ConnectionEnded, makeConnectionEnded } from "../persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionNotFound } from "../persistence/stores/connections/ConnectionStore.ts"
import { TestTimeStore } from "../persistence/stores/testmode/TestTimeStore.ts"
import type { TestZoneAudit } from "../persistence/stores/testmode/TestZoneStore.ts"
import { findTestZone, type TestZoneName } from "./TestZoneName.ts"
import { isTooLarge, TestZones } from "./TestZones.ts"
import {
  type ForeignRecordSet,
  makeChange,
  parseForeignSets,
  parseHosts,
  replaceSet,
  type TestZoneScope,
  toZoneRecords,
  type ZoneRecordSet
} from "./zoneEdits.ts"

type TestCall<E = never> = Effect.Effect<void, E | ConnectionNotFound | StateConflict | StoreUnavailable>

/** The zone of a test connection as its provider stores it. */
interface TestZoneContent {
  readonly zone: string
  readonly records: ReadonlyArray<ZoneRecordSet>
}

/** The calls by which a platform plays the customer, another writer of the zone, and time. */
export class TestMode extends Context.Reference<TestMode>()("testmode/TestMode", {
  defaultValue: (): TestModeShape => ({
    readZone: () => onlyInTestMode,
    enterRecords: () => onlyInTestMode,
    changeRecords: () => onlyInTestMode,
    advance: () => onlyInTestMode,
    waitUntilIdle: () => Effect.void
  })
}) {
  static readonly layer = Layer.effect(
    TestMode,
    Effect.gen(function* () {
      const times = yield* TestTimeStore
      const zones = yield* TestZones
      const signals = yield* ConnectionSignals
      const connections = yield* Connections
      const quotas = yield* Quotas
      const reads = yield* ConnectionReads
      const idleReads = reads.makeSharedReads<boolean, StoreUnavailable>()

      /** Has the servers queried again, if the connection is in a state that is checked. */
      const recheck = (tenancy: Tenancy, id: ConnectionId) =>
        connections
          .recheck(tenancy, id, {
            callableActions: ConnectionAction.literals,
            idempotency: Option.none(),
            ifVersion: Option.none()
          })
          .pipe(
            Effect.catchTags({
              ConnectionEnded: () => Effect.void,
              StateConflict: () => Effect.void,
              // The check by schedule will query the servers instead.
              QuotaExceeded: () => Effect.void,
              IdempotencyKeyReused: Effect.die,
              IdempotencyInProgress: Effect.die,
              PreconditionFailed: Effect.die
            })
          )

      const find = (tenancy: Tenancy, id: ConnectionId) =>
        Effect.flatMap(
          times.find(tenancy, id),
          Option.match({
            onNone: () => Effect.fail(ConnectionNotFound.error),
            onSome: (read) => Effect.succeed({ ...read, name: findTestZone(read.connection.effectiveIntent.domain) })
          })
        )

      /** Writes to a zone as another writer would, within the storage of its tenant, and has the servers queried. */
      const write = (
        tenancy: Tenancy,
        { connection: { id }, name }: Effect.Effect.Success<ReturnType<typeof find>>,
        action: TestZoneAudit["action"],
        change: (sets: ReadonlyArray<TestRecordSet>) => ReadonlyArray<TestRecordSet>
      ) =>
        Effect.gen(function* () {
          if (name === undefined) return
          const current = yield* zones.read(tenancy, name)
          const sets = change(current.sets)
          if (isTooLarge(sets)) return yield* zoneFull
          const isWritten = yield* zones.write(tenancy, current, sets, { action, connectionId: id })
          return yield* isWritten ? Effect.void : changedMeanwhile
        }).pipe(
          Effect.retry({ times: 5, while: ({ _tag }) => _tag === "StateConflict" }),
          (writing) => quotas.reserve(tenancy, { storageBytes: 1 }, writing),
          Effect.zipRight(recheck(tenancy, id))
        )

      const wake = (id: ConnectionId) => Effect.zipRight(signals.notifyDue, signals.notifyChanged(id))

      return {
        readZone: Effect.fnUntraced(function* (tenancy, id) {
          const { connection, name } = yield* find(tenancy, id)
          if (name === undefined) return { zone: connection.effectiveIntent.domain, records: [] }
          const { sets, zone } = yield* zones.read(tenancy, name)
          return { zone, records: toZoneRecords(sets) }
        }),
        enterRecords: Effect.fnUntraced(function* (tenancy, id, hosts) {
          const read = yield* find(tenancy, id)
          const { plan, state } = read.connection
          if (finalStates.includes(state)) return yield* makeConnectionEnded(state)
          if (plan === undefined) return yield* withoutPlan
          const scope = scopeOf(read)
          const chosen = yield* refuseFaults(parseHosts(hosts, plan.changes, scope.domain))
          const changes = plan.changes.filter((change) => chosen.has(hostOfChange(change)))
          yield* write(tenancy, read, "test_zone.records_entered", (sets) =>
            Array.reduce(changes, sets, (sets, change) => makeChange(sets, change, scope))
          )
        }),
        changeRecords: Effect.fnUntraced(function* (tenancy, id, records) {
          const read = yield* find(tenancy, id)
          const foreign = yield* refuseFaults(parseForeignSets(records, scopeOf(read)))
          yield* write(tenancy, read, "test_zone.records_changed", (sets) => Array.reduce(foreign, sets, replaceSet))
        }),
        advance: (tenancy, id, seconds) =>
          Effect.gen(function* () {
            const read = yield* find(tenancy, id)
            const isWritten = yield* times.age(read, ageConnection(read, seconds), { seconds, zone: read.name?.zone })
            if (!isWritten) return yield* changedMeanwhile
            yield* wake(id)
          }).pipe(Effect.retry({ times: 5, while: (error) => error === changedMeanwhile })),
        waitUntilIdle: (tenancy, id) => {
          const tenant = toTenantKey(tenancy)
          const isIdle = idleReads.read({ tenant, key: `${tenant} ${id}`, item: undefined }, () =>
            times.isIdle(tenancy, id)
          )
          return signals
            .waitUntil(id, Duration.seconds(1), isIdle)
            .pipe(Effect.timeoutOption(longestWait), Effect.asVoid)
        }
      }
    })
  )
}

interface TestModeShape {
  /** The zone of a connection, with the writes of others. */
  readonly readZone: (
    tenancy: Tenancy,
    id: ConnectionId
  ) => Effect.Effect<TestZoneContent, ConnectionNotFound | StoreUnavailable>
  /** Enters the changes of the current plan at the provider, as the customer does; with `hosts`, those of these hosts only. */
  readonly enterRecords: (
    tenancy: Tenancy,
    id: ConnectionId,
    hosts: Option.Option<ReadonlyArray<string>>
  ) => TestCall<ConnectionEnded | QuotaExceeded | Unprocessable>
  /** Changes the zone of a connection as another writer does. */
  readonly changeRecords: (
    tenancy: Tenancy,
    id: ConnectionId,
    records: ReadonlyArray<ForeignRecordSet>
  ) => TestCall<QuotaExceeded | Unprocessable>
  /** Moves the time of a connection and of its zone on. */
  readonly advance: (tenancy: Tenancy, id: ConnectionId, seconds: number) => TestCall
  /** Waits until no phase of a connection is due, ten seconds at most. */
  readonly waitUntilIdle: (tenancy: Tenancy, id: ConnectionId) => Effect.Effect<void, StoreUnavailable>
}

const longestWait = Duration.seconds(10)

/** A live key has no such connection. */
const onlyInTestMode = new ConnectionNotFound({
  code: "not_found",
  message: "this is an endpoint of test mode, which an API key that begins with dck_test_ may call"
})

const withoutPlan = new StateConflict({
  code: "state_conflict",
  message: "the connection has no plan whose records could be entered"
})

const changedMeanwhile = new StateConflict({
  code: "state_conflict",
  message: "the connection or its zone has changed at the same moment; repeat the request"
})

/** The domain and zone of a connection; without a test zone nothing is written there. */
const scopeOf = ({ connection, name }: { connection: Connection; name: TestZoneName | undefined }): TestZoneScope => {
  const domain = DomainName.make(connection.effectiveIntent.domain)
  return { domain, zone: name?.zone ?? domain }
}

const refuse = (details: ReadonlyArray<ErrorDetail>) =>
  new Unprocessable({
    code: "unprocessable",
    message: describeProblems("the request", limitErrorDetails(details), details.length),
    details: limitErrorDetails(details)
  })

const refuseFaults = <A>(parsed: Either.Either<A, ReadonlyArray<ErrorDetail>>) => Either.mapLeft(parsed, refuse)

const zoneFull = refuse([
  {
    pointer: "/records",
    code: "zone_full",
    message: "a test zone holds 500 records with 128,000 characters at most: take another test domain"
  }
])

/** Moves all times of a connection this many seconds back, as if everything had happened earlier. */
const ageConnection = ({ connection, progress }: ConnectionRecord, seconds: number): ConnectionRecord => {
  const age = (moment: DateTime.Utc) => DateTime.subtract(moment, { seconds })
  const { failure, nextCheckAt, plan } = connection
  return {
    connection: Connection.make(
      {
        ...connection,
        ...(plan === undefined
          ? {}
          : { plan: Plan.make({ ...plan, expiresAt: age(plan.expiresAt) }, withoutValidation) }),
        ...(failure === undefined
          ? {}
          : { failure: Failure.make({ ...failure, occurredAt: age(failure.occurredAt) }, withoutValidation) }),
        ...(nextCheckAt === undefined ? {} : { nextCheckAt: age(nextCheckAt) }),
        createdAt: age(connection.createdAt),
        updatedAt: age(connection.updatedAt)
      },
      withoutValidation
    ),
    progress: Progress.make(
      {
        ...progress,
        enteredAt: age(progress.enteredAt),
        ...(progress.recheckedAt === undefined ? {} : { recheckedAt: age(progress.recheckedAt) }),
        ...(progress.missedAt === undefined ? {} : { missedAt: age(progress.missedAt) }),
        ...(progress.authorizedAt === undefined ? {} : { authorizedAt: age(progress.authorizedAt) }),
        ...(progress.resumesAt === undefined ? {} : { resumesAt: age(progress.resumesAt) }),
        entered: progress.entered.map(({ at, change }) => ({ change, at: age(at) })),
        shown: progress.shown.map(({ change, enteredAt }) =>
          enteredAt === undefined ? { change } : { change, enteredAt: age(enteredAt) }
        )
      },
      withoutValidation
    )
  }
}
