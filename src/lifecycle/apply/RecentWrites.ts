import { Array, Duration, Effect, Option } from "effect"
import { HostName, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import { makeExactNames } from "../../domain/names/NameSet.ts"
import { hostOfChange } from "../../domain/plan/Plan.ts"
import type { RunChange } from "../../domain/plan/RunChange.ts"
import type { ZoneLocation } from "../../domain/plan/Zone.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { JournalEntry, JournalStore, RecentWritesQuery } from "../../persistence/stores/phases/JournalStore.ts"
import type { ZoneClient } from "../../providers/ProviderClient.ts"

interface RecentWrites {
  /** Their hosts are relative to the domain of the query. */
  readonly entries: ReadonlyArray<JournalEntry>
  readonly visibleWithin: Duration.Duration
}

/** A zone, the names in it that a plan concerns, and the connection of the plan. */
interface RecentWritesScope extends Pick<RecentWritesQuery, "connectionId" | "providerId">, ZoneLocation {
  readonly visibleWithin: ZoneClient["visibleWithin"] | undefined
  readonly names: RecentWritesQuery["names"]["at"]
}

/** Finds recent changes at these names and wherever the connection wrote: a lagging list shows none of them. */
export const makeRecentWritesFinder =
  (journal: JournalStore["Type"]) =>
  ({
    domain,
    names,
    visibleWithin = Duration.zero,
    ...scope
  }: RecentWritesScope): Effect.Effect<RecentWrites, StoreUnavailable> =>
    Duration.equals(visibleWithin, Duration.zero)
      ? Effect.succeed({ entries: [], visibleWithin })
      : Effect.map(
          journal.findRecentWrites({ ...scope, names: makeExactNames(names), within: visibleWithin }),
          (writes) => {
            const ages = writes.map(({ settledAgo }) => Option.getOrElse(settledAgo, () => Duration.zero))
            return {
              entries: Array.getSomes(writes.map((entry) => toEntryIn(entry, domain))),
              visibleWithin: Duration.subtract(visibleWithin, ages.reduce(Duration.min, visibleWithin))
            }
          }
        )

/** The entry with its hosts relative to another domain; none for one above that. */
const toEntryIn = (entry: JournalEntry, domain: ZoneLocation["domain"]): Option.Option<JournalEntry> =>
  entry.domain === domain
    ? Option.some(entry)
    : Option.map(
        toRelativeHost(toFqdn(HostName.make(hostOfChange(entry.change)), entry.domain), domain),
        (host): JournalEntry => ({ ...entry, domain, change: atHost(entry.change, host) })
      )

const atHost = ({ after, before, ...change }: RunChange, host: string): RunChange => ({
  ...change,
  ...(before === undefined ? {} : { before: { ...before, host } }),
  ...(after === undefined ? {} : { after: { ...after, host } })
})
