import type { DomainName } from "../../domain/names/DomainName.ts"
import { makeCreationLookup } from "../../domain/plan/RunChange.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { JournalEntry } from "../../persistence/stores/phases/JournalStore.ts"
import {
  type ChangeStatus,
  hostsOf,
  makeChangeStatusCheck,
  makeServedKey
} from "../../planning/changes/ChangeStatus.ts"
import { toLiveZoneAt } from "../../planning/zone/LiveZone.ts"

/**
 * Finds the status of each entry in a zone; records that `open` entries remove block none. The TTL tells which half of an
 * update is applied if both write the same record.
 */
export const makeEntryStatusCheck = (
  zone: Zone,
  domain: DomainName,
  { entries, open }: { readonly entries: ReadonlyArray<JournalEntry>; readonly open: ReadonlyArray<JournalEntry> }
): ((entry: JournalEntry) => ChangeStatus) => {
  const live = toLiveZoneAt(zone, domain, hostsOf(entries.map(({ change }) => change)))
  const statusOf = makeChangeStatusCheck(
    live,
    open.map(({ change }) => change)
  )
  const rewrites = findRewrites(entries, makeServedKey({ name: zone.name, domain }))
  return (entry) => {
    const rewrite = rewrites.get(entry)
    if (rewrite === undefined) return statusOf(entry.change)
    const { creation, deletion } = rewrite
    const created = statusOf(creation.change)
    // A status knows a record by its data, whatever its TTL.
    if (created !== "applied") return entry === deletion ? "applied" : created
    const { before } = deletion.change
    const status = statusOf({ ...creation.change, ...(before === undefined ? {} : { before }), action: "update" })
    const isBackAgain = status === "pending" && entry === creation && deletion.status === "confirmed"
    return isBackAgain ? "diverged" : status
  }
}

/** Whether a zone shows the changes of all entries. */
export const areApplied = (zone: Zone, domain: DomainName, entries: ReadonlyArray<JournalEntry>): boolean => {
  const statusOf = makeEntryStatusCheck(zone, domain, { entries, open: [] })
  return entries.every((entry) => statusOf(entry) === "applied")
}

/** The halves of an update that leaves everything but the TTL. */
interface Rewrite {
  readonly deletion: JournalEntry
  readonly creation: JournalEntry
}

const findRewrites = (
  entries: ReadonlyArray<JournalEntry>,
  servedKeyOf: ReturnType<typeof makeServedKey>
): ReadonlyMap<JournalEntry, Rewrite> => {
  const creationOf = makeCreationLookup(entries)
  return new Map(
    entries.flatMap((deletion) => {
      const creation = creationOf(deletion)
      const [before, after] = [deletion.change.before, creation?.change.after]
      return creation !== undefined && before && after && servedKeyOf(before) === servedKeyOf(after)
        ? [deletion, creation].map((half) => [half, { deletion, creation }] as const)
        : []
    })
  )
}
