import { Array, Context, Effect, Either, Layer, Option, Order } from "effect"
import type { Connection, ConnectionState } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { DomainName, HostName, toFqdn, toRelativeHost } from "../../domain/DomainName.ts"
import { EffectiveIntent, Intent, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionViews } from "../../persistence/stores/ConnectionViews.ts"
import { type JournalEntry, type JournalStatus, JournalStore } from "../../persistence/stores/JournalStore.ts"
import type { OtherDesiredRecord } from "../../planning/PlanContext.ts"
import { changeStatusIn } from "../../planning/changes/ChangeStatus.ts"
import type { ConnectionIntent, JournaledChange } from "../../planning/restore/JournaledChange.ts"
import { liveZone } from "../../planning/zone/LiveZone.ts"

/** All that was written to a zone, and who is to stay in it when one connection leaves. */
export interface ZoneHistory {
  readonly leaving: ConnectionIntent
  /** In the order of writing. */
  readonly journal: ReadonlyArray<JournaledChange>
  /** In the order in which they came. */
  readonly others: ReadonlyArray<ConnectionIntent>
}

/** The other connections of a zone, of whatever tenant: what one does must not harm them. */
export class ZoneTenants extends Context.Tag("lifecycle/ZoneTenants")<
  ZoneTenants,
  {
    /** What the others want at or below the domain of a connection. */
    readonly desiredByOthers: (
      zone: DomainName,
      connection: Connection
    ) => Effect.Effect<ReadonlyArray<OtherDesiredRecord>, StoreUnavailable>
    /** `zone` is seen from the connection's domain. */
    readonly historyOf: (zone: Zone, standing: ConnectionRecord) => Effect.Effect<ZoneHistory, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ZoneTenants,
    Effect.gen(function* () {
      const views = yield* ConnectionViews
      const journal = yield* JournalStore

      const livingIn = (zone: DomainName, { id }: Connection) =>
        Effect.map(views.listRecordsInZone(zone, inZone), (all) =>
          all.flatMap(({ connection: other, progress: { proven } }) =>
            other.id !== id && other.direction !== "restore"
              ? Array.fromOption(
                  Option.map(Either.getRight(resolveIntent(other.intent)), (intent) => ({
                    id: other.id,
                    tenancy: { applicationId: other.applicationId, tenantId: other.tenantId },
                    proven,
                    intent
                  }))
                )
              : []
          )
        )

      return {
        desiredByOthers: Effect.fn("ZoneTenants.desiredByOthers")(function* (zone, connection) {
          const living = yield* livingIn(zone, connection)
          return living.flatMap(({ intent }) =>
            wishesWithin(DomainName.make(connection.effectiveIntent.domain), intent)
          )
        }),
        historyOf: Effect.fn("ZoneTenants.historyOf")(function* (zone, standing) {
          const { connection } = standing
          const entries = yield* journal.findByZone(zone.name)
          // Anybody may ask for a domain: whoever never had access to the zone has shown it only to their own tenant.
          const others = (yield* livingIn(zone.name, connection)).filter(
            (other) =>
              isSameTenancy(other.tenancy, connection) ||
              other.proven ||
              entries.some(({ connectionId }) => connectionId === other.id)
          )
          const leaving = { id: connection.id, intent: intentOf(connection) }
          return {
            leaving,
            journal: [...withoutUnwritten(entries, zone, leaving).map(written), ...byHand(standing)],
            others: inOrderOfComing(others, entries)
          }
        })
      }
    })
  )
}

/** What was accepted once is accepted still; if the rules have become stricter since, the connection wants nothing. */
const intentOf = ({ effectiveIntent, intent }: Connection): ResolvedIntent =>
  Either.getOrElse(resolveIntent(intent), () => ({
    intent: Intent.make({ ...intent, records: [] }),
    domain: DomainName.make(effectiveIntent.domain),
    effectiveIntent: EffectiveIntent.make({ ...effectiveIntent, records: [] })
  }))

/** Where a provider did not say whether it wrote, its zone does: what can still be written there was not. */
const withoutUnwritten = (entries: ReadonlyArray<JournalEntry>, zone: Zone, { id, intent }: ConnectionIntent) => {
  if (zone.basis !== "provider") return entries
  const doubtful = entries.filter(({ connectionId, status }) => connectionId === id && doubts.includes(status))
  const progress = changeStatusIn(
    liveZone(zone, intent.domain),
    doubtful.map(({ change }) => change)
  )
  return entries.filter((entry) => !doubtful.includes(entry) || progress(entry.change) !== "pending")
}

const doubts: ReadonlyArray<JournalStatus> = ["sent", "unknown"]

/** What the customer entered by hand counts as written. */
const byHand = ({ connection: { effectiveIntent, id }, progress: { entered } }: ConnectionRecord) =>
  entered.map(({ at, change }): JournaledChange => ({
    connectionId: id,
    domain: DomainName.make(effectiveIntent.domain),
    change,
    writtenAt: at
  }))

/** The states in which records of a connection are, or come, into the zone, whoever brings them. */
const inZone: ReadonlyArray<ConnectionState> = ["applying", "verifying", "active", "degraded"]

const wishesWithin = (
  domain: DomainName,
  { domain: own, effectiveIntent }: ResolvedIntent
): ReadonlyArray<OtherDesiredRecord> =>
  effectiveIntent.records.flatMap(({ host, priority, type, value }) =>
    Option.toArray(toRelativeHost(toFqdn(HostName.make(host), own), domain)).map((within) => ({
      host: within,
      type,
      value,
      ...(priority === undefined ? {} : { priority })
    }))
  )

const written = ({ change, connectionId, domain, plannedAt, settledAt }: JournalEntry): JournaledChange => ({
  connectionId,
  domain,
  change,
  writtenAt: Option.getOrElse(settledAt, () => plannedAt)
})

const isSameTenancy = (one: Tenancy, other: Tenancy): boolean =>
  one.applicationId === other.applicationId && one.tenantId === other.tenantId

/** Who wrote first came first; who wrote nothing came last. */
const inOrderOfComing = (others: ReadonlyArray<ConnectionIntent>, entries: ReadonlyArray<JournalEntry>) =>
  Array.sortWith(
    others,
    ({ id }) => entries.find(({ connectionId }) => connectionId === id)?.position ?? Number.MAX_SAFE_INTEGER,
    Order.number
  )
