import { Array, Context, Effect, Layer, Option } from "effect"
import { ConnectionAction, type ConnectionId } from "../domain/Connection.ts"
import { apexHost, DomainName, toFqdn } from "../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../domain/Plan.ts"
import type { Tenancy } from "../domain/Tenancy.ts"
import type { TestRecordSet } from "../domain/TestZone.ts"
import { Connections } from "../lifecycle/commands/Connections.ts"
import { StateConflict } from "../lifecycle/commands/commandErrors.ts"
import { ConnectionSignals } from "../lifecycle/commit/ConnectionSignals.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ConnectionNotFound } from "../persistence/stores/ConnectionStore.ts"
import { TestTimeStore } from "../persistence/stores/TestTimeStore.ts"
import { keyOf } from "../providers/writing/RecordSet.ts"
import { formatContent } from "../providers/writing/recordContent.ts"
import { findTestZone } from "./TestZoneName.ts"
import { TestZones } from "./TestZones.ts"
import { ageConnection } from "./ageConnection.ts"

/** The records that somebody else sets at a host in test mode: those of one type, none to remove them. */
export interface ForeignRecordSet {
  readonly host: string
  readonly type: string
  readonly values: ReadonlyArray<string>
}

type TestCall = Effect.Effect<void, ConnectionNotFound | StateConflict | StoreUnavailable>

/** What a platform plays in test mode besides its own part: the customer, somebody else, and time. */
export class TestMode extends Context.Reference<TestMode>()("testmode/TestMode", {
  defaultValue: (): TestModeShape => ({
    enterRecords: () => onlyInTestMode,
    changeRecords: () => onlyInTestMode,
    advance: () => onlyInTestMode
  })
}) {
  static readonly layer = Layer.effect(
    TestMode,
    Effect.gen(function* () {
      const times = yield* TestTimeStore
      const zones = yield* TestZones
      const signals = yield* ConnectionSignals
      const connections = yield* Connections

      /** Has the servers asked again, where the connection is one that is checked. */
      const recheck = (tenancy: Tenancy, id: ConnectionId) =>
        connections
          .recheck(tenancy, id, {
            callableActions: ConnectionAction.literals,
            idempotency: Option.none(),
            ifVersion: Option.none()
          })
          .pipe(
            Effect.catchTags({
              StateConflict: () => Effect.void,
              IdempotencyKeyReused: Effect.die,
              IdempotencyInProgress: Effect.die,
              PreconditionFailed: Effect.die,
              QuotaExceeded: Effect.die
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

      /** Writes to the zone of a connection as somebody does who is not the service, and has the servers asked again. */
      const write = (
        tenancy: Tenancy,
        { connection: { id }, name }: Effect.Effect.Success<ReturnType<typeof find>>,
        change: (sets: ReadonlyArray<TestRecordSet>) => ReadonlyArray<TestRecordSet>
      ) =>
        Effect.gen(function* () {
          if (name === undefined) return
          const current = yield* zones.read(tenancy, name)
          const isWritten = yield* zones.write(tenancy, current, change(current.sets))
          return yield* isWritten ? Effect.void : changedMeanwhile
        }).pipe(
          Effect.retry({ times: 5, while: ({ _tag }) => _tag === "StateConflict" }),
          Effect.zipRight(recheck(tenancy, id))
        )

      const wake = (id: ConnectionId) => Effect.zipRight(signals.notifyDue, signals.notifyChanged(id))

      return {
        enterRecords: Effect.fn("TestMode.enterRecords")(function* (tenancy, id, hosts) {
          const read = yield* find(tenancy, id)
          const { effectiveIntent, plan } = read.connection
          if (plan === undefined) return yield* withoutPlan
          const domain = DomainName.make(effectiveIntent.domain)
          const changes = plan.changes.filter(({ after, before }) =>
            Option.match(hosts, {
              onNone: () => true,
              onSome: (hosts) => hosts.includes((after ?? before)?.host ?? "@")
            })
          )
          yield* write(tenancy, read, (sets) =>
            Array.reduce(changes, sets, (sets, change) => enter(sets, change, domain))
          )
        }),
        changeRecords: Effect.fn("TestMode.changeRecords")(function* (tenancy, id, foreign) {
          const read = yield* find(tenancy, id)
          const domain = DomainName.make(read.connection.effectiveIntent.domain)
          yield* write(tenancy, read, (sets) =>
            Array.reduce(foreign, sets, (sets, set) => replaceSet(sets, set, domain))
          )
        }),
        advance: (tenancy, id, seconds) =>
          Effect.gen(function* () {
            const read = yield* find(tenancy, id)
            const isWritten = yield* times.age(read, ageConnection(read, seconds), seconds)
            if (!isWritten) return yield* changedMeanwhile
            if (read.name !== undefined) yield* zones.age(tenancy, read.name, seconds)
            yield* wake(id)
          }).pipe(Effect.retry({ times: 5, while: (error) => error === changedMeanwhile }))
      }
    })
  )
}

interface TestModeShape {
  /** Enters the changes of the current plan at the provider, as the customer does; with `hosts`, those of these hosts only. */
  readonly enterRecords: (tenancy: Tenancy, id: ConnectionId, hosts: Option.Option<ReadonlyArray<string>>) => TestCall
  /** Changes the zone of a connection as somebody else does. */
  readonly changeRecords: (tenancy: Tenancy, id: ConnectionId, foreign: ReadonlyArray<ForeignRecordSet>) => TestCall
  /** Moves the time of a connection and of its zone on. */
  readonly advance: (tenancy: Tenancy, id: ConnectionId, seconds: number) => TestCall
}

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

/** A zone after one change of a plan. */
const enter = (
  sets: ReadonlyArray<TestRecordSet>,
  { after, before }: Change,
  domain: DomainName
): ReadonlyArray<TestRecordSet> => {
  const removed =
    before === undefined
      ? sets
      : editSet(sets, before, domain, (contents, content) => contents.filter((each) => each !== content))
  return after === undefined
    ? removed
    : editSet(removed, after, domain, (contents, content) => [...contents.filter((each) => each !== content), content])
}

const editSet = (
  sets: ReadonlyArray<TestRecordSet>,
  record: ChangeRecord,
  domain: DomainName,
  edit: (contents: ReadonlyArray<string>, content: string) => ReadonlyArray<string>
): ReadonlyArray<TestRecordSet> => {
  const owner = { name: toFqdn(record.host, domain), type: record.type }
  const existing = sets.find((set) => keyOf(set) === keyOf(owner))
  const contents = edit(
    (existing?.records ?? []).map(({ content }) => content),
    formatContent(record)
  )
  return withContents(sets, { ...owner, ttl: record.ttl }, contents)
}

const replaceSet = (
  sets: ReadonlyArray<TestRecordSet>,
  { host, type, values }: ForeignRecordSet,
  domain: DomainName
): ReadonlyArray<TestRecordSet> =>
  withContents(
    sets,
    { name: toFqdn(host, domain), type, ttl: 300 },
    values.map((value) => toContent(type, value))
  )

/** A priority is written before the value, as zone files do. */
const toContent = (type: string, value: string): string => {
  const [, priority, target] = (type === "MX" ? /^(\d+) (.+)$/.exec(value) : null) ?? []
  const record = { host: apexHost, type, value: target ?? value, ttl: 300, optional: false }
  return formatContent(priority === undefined ? record : { ...record, priority: Number(priority) })
}

const withContents = (
  sets: ReadonlyArray<TestRecordSet>,
  owner: Omit<TestRecordSet, "records">,
  contents: ReadonlyArray<string>
): ReadonlyArray<TestRecordSet> => {
  const records = contents.map((content) => ({ content }))
  return [
    ...sets.filter((set) => keyOf(set) !== keyOf(owner)),
    ...(Array.isNonEmptyArray(records) ? [{ ...owner, records }] : [])
  ]
}
