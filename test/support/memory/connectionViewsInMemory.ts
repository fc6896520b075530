import { Array, DateTime, Effect, Layer, Number, Option, Order } from "effect"
import { type Connection, finalStates } from "../../../src/domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  desiredNamesOf,
  hasRecordsInZone,
  type Progress,
  servedStates
} from "../../../src/domain/connection/ConnectionRecord.ts"
import type { Metadata } from "../../../src/domain/connection/PlatformFields.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { isSameTenancy, storedConnectionOf, Tables } from "./Tables.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { pageOf } from "./pageOf.ts"
import { isNameIn } from "./isNameIn.ts"

/** Lists connections, timelines and observations from maps, with the same guarantees as the tables of PostgreSQL. */
export const connectionViewsInMemory = Layer.effect(
  ConnectionViews,
  Effect.map(Tables, ({ connections, observations }) => ({
    list: (tenancy, { domain, externalId, metadata = {}, states }, { maxBytes, ...page }) =>
      Effect.sync(() => {
        const matching = [...connections.values()]
          .filter((row) => isSameTenancy(row.tenancy, tenancy))
          .filter((row) => states === undefined || states.includes(row.state))
          .filter((row) => domain === undefined || row.domain === domain)
          .filter((row) => externalId === undefined || row.externalId === externalId)
          .filter((row) => hasMetadata(connectionRecordOf(row).connection, metadata))
        return pageOf(matching, page, { id: ({ id }) => id, createdAt: ({ createdAt }) => createdAt })
          .map(storedConnectionOf)
          .filter((_, index, rows) => index < 2 || byteLength(rows.slice(0, index)) <= maxBytes)
      }),
    findVersions: (tenancy, ids) =>
      Effect.sync(
        () =>
          new Map(
            [...connections.values()]
              .filter((row) => isSameTenancy(row.tenancy, tenancy) && ids.includes(row.id))
              .map(({ id, version }) => [id, version])
          )
      ),
    listTimeline: (id, page) =>
      Effect.sync(() =>
        pageOf(connections.get(id)?.events ?? [], page, {
          id: ({ id }) => id,
          createdAt: ({ occurredAt }) => occurredAt
        }).map(({ failure = null, from = null, id, occurredAt, replan = null, to }) => ({
          id,
          from,
          to,
          failure,
          replan,
          occurredAt: DateTime.unsafeMake(occurredAt)
        }))
      ),
    findObservations: (id) =>
      Effect.sync(() => {
        const row = Option.fromNullable(connections.get(id))
        const due = Option.filter(row, ({ phase }) => Option.contains(phase, "verify"))
        return {
          doc: Option.fromNullable(observations.get(id)),
          lastCheckedAt: Option.none(),
          nextCheckAt: Option.map(
            Option.flatMap(due, ({ dueAt }) => dueAt),
            (at) => DateTime.unsafeMake(at)
          )
        }
      }),
    listZoneTenants: (tenancy, scope) =>
      Effect.sync(() =>
        byId([...connections.values()])
          .map(connectionRecordOf)
          .filter(isInZone)
          .filter(({ connection }) => desiredNamesOf(connection).some((name) => isNameIn(name, scope)))
          .filter(({ connection, progress }) => isSameTenancy(connection, tenancy) || countsForOthers(progress))
          .map(({ connection }) => connection.id)
      ),
    readRecords: (ids) =>
      Effect.sync(() =>
        byId([...connections.values()])
          .map(connectionRecordOf)
          .filter(({ connection }) => ids.includes(connection.id))
      )
  }))
)

const hasMetadata = (connection: Connection, wanted: Metadata): boolean =>
  Object.entries(wanted).every(([name, value]) => connection.metadata?.[name] === value)

const countsForOthers = (progress: Progress): boolean =>
  progress.control === undefined
    ? progress.hasProvenAccess || hasRecordsInZone(progress)
    : progress.hasWritten || progress.control.provenBy !== undefined

const byteLength = (rows: ReadonlyArray<{ readonly doc: string }>): number =>
  Number.sumAll(rows.map(({ doc }) => Buffer.byteLength(doc)))

const byId = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.sortWith(rows, ({ id }) => id, Order.string)

/** Whether the zone holds records of a connection, or is about to: the plans of others must not harm them. */
const isInZone = ({ connection: { pendingIntent, state }, progress }: ConnectionRecord): boolean =>
  servedStates.includes(state) ||
  (!finalStates.includes(state) && (pendingIntent !== undefined || hasRecordsInZone(progress)))
