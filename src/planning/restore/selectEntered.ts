import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import { hostsOf, makeChangeStatusCheck } from "../changes/ChangeStatus.ts"
import { type LiveRecord, toLiveZoneAt } from "../zone/LiveZone.ts"
import { toLiveRecord } from "./JournaledChange.ts"
import { isRelated } from "./diffRestoredHost.ts"
import { hostKeyOf } from "./replayWithout.ts"

/**
 * Selects the changes that a zone shows as made: the new record is there, or the old one is gone and only planned ones
 * are in its place. A record of the customer in its place was not made for a plan.
 */
export const selectEntered = <A extends { readonly change: Change }>(
  zone: Zone,
  domain: DomainName,
  shown: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const changes = shown.map(({ change }) => change)
  const live = toLiveZoneAt(zone, domain, hostsOf(changes))
  const statusOf = makeChangeStatusCheck(live, changes)
  const toLive = (record: ChangeRecord) => toLiveRecord(record, live)
  const planned = new Set(
    changes.flatMap(({ after, before }) =>
      [after, before]
        .flatMap((record) => record ?? [])
        .map(toLive)
        .map(hostKeyOf)
    )
  )
  const isRemoved = (record: LiveRecord) =>
    live
      .recordsAt(record.host)
      .every((other) => other.key !== record.key && (planned.has(hostKeyOf(other)) || !isRelated(record, other)))
  return shown.filter(({ change }) => {
    const { after, before } = change
    const status = statusOf(change)
    const isServed = after !== undefined && (status === "applied" || status === "duplicated")
    return isServed || (before !== undefined && isRemoved(toLive(before)))
  })
}
