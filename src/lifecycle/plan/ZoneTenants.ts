import { Array, Context, DateTime, Effect, Layer, Option, Order, Struct } from "effect"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { type Connection, finalStates } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, desiredNamesOf } from "../../domain/connection/ConnectionRecord.ts"
import { DomainName, HostName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { type NameSet, findDependentNames, makeExactNames } from "../../domain/names/NameSet.ts"
import { joinSplitUpdates } from "../../domain/plan/RunChange.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionViews } from "../../persistence/stores/connections/ConnectionViews.ts"
import { type JournalEntry, type JournalStatus, JournalStore } from "../../persistence/stores/phases/JournalStore.ts"
import type { OtherDesiredRecord } from "../../planning/PlanContext.ts"
import { hostsOf, makeChangeStatusCheck } from "../../planning/changes/ChangeStatus.ts"
import type { ConnectionIntent, JournaledChange } from "../../planning/restore/JournaledChange.ts"
import { selectEntered } from "../../planning/restore/selectEntered.ts"
import { toLiveZoneAt } from "../../planning/zone/LiveZone.ts"
import { resolveAcceptedIntent } from "./resolveAcceptedIntent.ts"

/** The changes written to a zone, and the staying connections, as far as they concern the leaving one's hosts. */
interface ZoneHistory {
  readonly leaving: ConnectionIntent
  /** Oldest first. */
  readonly journal: ReadonlyArray<JournaledChange>
  /** The connections in the order in which they joined. */
  readonly others: ReadonlyArray<ConnectionIntent>
}

/**
 * The connections of a zone, of any tenant, which a plan must not harm. Anybody can request a domain: one without access
 * to the zone counts for its own tenant only.
 */
export class ZoneTenants extends Context.Tag("lifecycle/ZoneTenants")<
  ZoneTenants,
  {
    /** What others desire at a connection's hosts: its tenant's, and those with control of or records in the zone. */
    readonly listDesiredByOthers: (
      connection: Connection
    ) => Effect.Effect<ReadonlyArray<OtherDesiredRecord>, StoreUnavailable>
    /** The zone from which a restore of the connection starts; its hosts are relative to the connection's domain. */
    readonly readHistory: (zone: Zone, current: ConnectionRecord) => Effect.Effect<ZoneHistory, StoreUnavailable>
    /** Every host at which the connection desires, wrote or showed a record, or had one entered. */
    readonly listHosts: (current: ConnectionRecord) => Effect.Effect<ReadonlyArray<HostName>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneTenants,
    Effect.gen(function* () {
      const views = yield* ConnectionViews
      const journal = yield* JournalStore

      /** Collects something of each other connection; few of their documents are in memory at the same time. */
      const collectFromOthers = Effect.fnUntraced(function* <A>(
        connection: Connection,
        scope: NameSet,
        collect: (others: ReadonlyArray<Connection>) => LongComputation<ReadonlyArray<A>>
      ) {
        const ids = (yield* views.listZoneTenants(connection, scope)).filter((id) => id !== connection.id)
        const collected = yield* Effect.forEach(Array.chunksOf(ids, readTogether), (ids) =>
          Effect.flatMap(views.readRecords(ids), (records) =>
            computeInSlices(
              collect(
                records
                  .map(({ connection: other }) => other)
                  .filter(({ direction, state }) => direction !== "restore" && !finalStates.includes(state))
              )
            )
          )
        )
        return collected.flat()
      })

      const listHosts = ({ connection, progress }: ConnectionRecord) =>
        Effect.map(journal.findByConnection(connection.id), (entries) => {
          const written = [...entries, ...progress.entered, ...progress.shown].flatMap(
            ({ change: { after, before } }) => [before, after].filter((record) => record !== undefined)
          )
          return Array.dedupe([...listDesired(connection), ...written].map(({ host }) => HostName.make(host)))
        })

      return {
        listDesiredByOthers: Effect.fnUntraced(function* (connection) {
          const domain = DomainName.make(connection.effectiveIntent.domain)
          return yield* collectFromOthers(connection, makeExactNames(desiredNamesOf(connection)), (others) =>
            listDesiredRecordsIn(domain, others)
          )
        }),
        readHistory: Effect.fnUntraced(function* (zone, current) {
          const { connection } = current
          const domain = DomainName.make(connection.effectiveIntent.domain)
          const names = (yield* listHosts(current)).map((host) => toFqdn(host, domain))
          const scope = findDependentNames(names, zone.name)
          const entries = yield* journal.findInZone(zone.name, scope)
          const others = yield* collectFromOthers(connection, scope, resolveIntents)
          const leaving = { id: connection.id, intent: resolveAcceptedIntent(connection) }
          return {
            leaving,
            journal: listManualWrites(zone, current).reduce(
              insertByTime,
              joinSplitUpdates(withoutUnwritten(entries, zone, leaving)).map((entry) =>
                toJournaledChange(entry.providerId === connection.provider?.id ? entry : withoutProviderSettings(entry))
              )
            ),
            others: sortByFirstWrite(others, entries)
          }
        }),
        listHosts
      }
    })
  )

  /** The layer for plans without a database: no zone has a connection. */
  static readonly layerWithoutDatabase = Layer.succeed(ZoneTenants, {
    listDesiredByOthers: () => Effect.succeed([]),
    readHistory: (_, { connection }) =>
      Effect.succeed({
        leaving: { id: connection.id, intent: resolveAcceptedIntent(connection) },
        journal: [],
        others: []
      }),
    listHosts: ({ connection }) => Effect.succeed(listDesired(connection).map(({ host }) => HostName.make(host)))
  })
}

const readTogether = 100

/** The records of the intent, and those of a new one that waits to be applied. */
const listDesired = ({ effectiveIntent, pendingIntent }: Connection) => [
  ...effectiveIntent.records,
  ...(pendingIntent?.effectiveIntent.records ?? [])
]

function* resolveIntents(connections: ReadonlyArray<Connection>): LongComputation<ReadonlyArray<ConnectionIntent>> {
  const intents: Array<ConnectionIntent> = []
  yield* visitEach(connections, (connection) =>
    intents.push({ id: connection.id, intent: resolveAcceptedIntent(connection) })
  )
  return intents
}

function* listDesiredRecordsIn(
  domain: DomainName,
  connections: ReadonlyArray<Connection>
): LongComputation<ReadonlyArray<OtherDesiredRecord>> {
  const records: Array<OtherDesiredRecord> = []
  yield* visitEach(connections, (connection) =>
    records.push(...toDesiredRecordsIn(domain, resolveAcceptedIntent(connection)))
  )
  return records
}

/** Leaves out changes of unknown outcome that the zone does not show, although they could still be made. */
const withoutUnwritten = (entries: ReadonlyArray<JournalEntry>, zone: Zone, { id, intent }: ConnectionIntent) => {
  if (zone.basis !== "provider") return entries
  const uncertain = entries.filter(
    ({ connectionId, status }) => connectionId === id && uncertainStatuses.includes(status)
  )
  const changes = uncertain.map(({ change }) => change)
  const statusOf = makeChangeStatusCheck(toLiveZoneAt(zone, intent.domain, hostsOf(changes)), changes)
  const unwritten = new Set(uncertain.filter(({ change }) => statusOf(change) === "pending"))
  return entries.filter((entry) => !unwritten.has(entry))
}

const uncertainStatuses: ReadonlyArray<JournalStatus> = ["sent", "unknown"]

/** Counts manual changes as written; at a removal also shown ones that the public DNS shows as made. */
const listManualWrites = (zone: Zone, { connection, progress }: ConnectionRecord) => {
  const { direction, effectiveIntent, id } = connection
  const domain = DomainName.make(effectiveIntent.domain)
  const canTell = direction === "restore" && zone.basis === "public_dns"
  const found = canTell ? selectEntered(zone, domain, progress.shown) : []
  return [...progress.entered, ...found.map(({ change }) => ({ change, at: progress.enteredAt }))].map(
    ({ at, change }): JournaledChange => ({ connectionId: id, domain, change, writtenAt: at })
  )
}

/** Puts a change before what was written later. */
const insertByTime = (journal: ReadonlyArray<JournaledChange>, change: JournaledChange) => {
  const later = journal.findIndex(({ writtenAt }) => DateTime.greaterThan(writtenAt, change.writtenAt))
  return later < 0 ? [...journal, change] : journal.toSpliced(later, 0, change)
}

const toDesiredRecordsIn = (
  domain: DomainName,
  { domain: own, effectiveIntent }: ResolvedIntent
): ReadonlyArray<OtherDesiredRecord> =>
  effectiveIntent.records.flatMap(({ host, priority, type, value }) =>
    Option.toArray(toRelativeHost(toFqdn(HostName.make(host), own), domain)).map((relativeHost) => ({
      host: relativeHost,
      type,
      value,
      ...(priority === undefined ? {} : { priority })
    }))
  )

const toJournaledChange = ({ change, connectionId, domain, plannedAt, settledAt }: JournalEntry): JournaledChange => ({
  connectionId,
  domain,
  change,
  writtenAt: Option.getOrElse(settledAt, () => plannedAt)
})

/** Only the provider that proxied or flattened a record, or chose its TTL, can do so again. */
const withoutProviderSettings = (entry: JournalEntry): JournalEntry => {
  const { after, before, ...change } = entry.change
  return {
    ...entry,
    change: {
      ...change,
      ...(before === undefined ? {} : { before: Struct.omit(before, ...providerSettings) }),
      ...(after === undefined ? {} : { after: Struct.omit(after, ...providerSettings) })
    }
  }
}

const providerSettings = ["proxied", "flattened", "automaticTtl"] as const

/** The connection that wrote first comes first; one that wrote nothing comes last. */
const sortByFirstWrite = (connections: ReadonlyArray<ConnectionIntent>, entries: ReadonlyArray<JournalEntry>) => {
  const firstWrites = new Map(entries.toReversed().map(({ connectionId, position }) => [connectionId, position]))
  return Array.sortWith(connections, ({ id }) => firstWrites.get(id) ?? Number.MAX_SAFE_INTEGER, Order.number)
}
