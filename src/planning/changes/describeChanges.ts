import type { Change, ChangeRecord } from "../../domain/Plan.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import { compareDmarc } from "../dmarc/compareDmarc.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"
import { findConsequences } from "./findConsequences.ts"
import { makeWildcardReplacementCheck } from "./hiddenRecords.ts"
import { orderChanges } from "./orderChanges.ts"
import { warnAboutReplacedServices } from "./replacedServices.ts"
import { warnAboutTlsPolicies } from "./tlsPolicies.ts"
import { warnAboutHost, warnAboutPlan } from "./warnings.ts"

/** The changes that some differences make, and what the operator should know of them. */
interface DescribedChanges {
  /** In the order of `changes`. */
  readonly rows: ReadonlyArray<PlanRow>
  /** In an order that is safe to apply. */
  readonly changes: ReadonlyArray<Change>
  readonly locatedWarnings: ReadonlyArray<LocatedWarning>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Describes the differences from a zone as changes; `shouldCompareDmarc` selects the changed hosts whose DMARC policy
 * has not been compared with the existing one.
 */
export const describeChanges = (
  indexed: IndexedZone,
  diffs: ReadonlyArray<HostDiff>,
  { context, shouldCompareDmarc }: ChangeContext
): DescribedChanges => {
  const { zone } = indexed
  const consequencesOf = findConsequences(indexed, diffs, context.others)
  const replacesWildcard = makeWildcardReplacementCheck(zone, diffs)
  const described = orderChanges(diffs).map((row) => {
    const consequences = consequencesOf(row)
    return { row, consequences, destructive: row.hasDataLoss || consequences.length > 0 || replacesWildcard(row) }
  })
  const tlsPolicies = warnAboutTlsPolicies(indexed, diffs, makeZoneLookup(zone, context))
  const dmarc = compareDmarc(indexed, diffs, { context, shouldCompareDmarc })
  const destructiveRows = described.filter(({ destructive }) => destructive).map(({ row }) => row)
  return {
    rows: described.map(({ row }) => row),
    changes: described.map(({ destructive, row }) => toChange(row, destructive)),
    locatedWarnings: [
      ...diffs.flatMap((diff) => warnAboutHost(diff, zone.domain)),
      ...warnAboutReplacedServices(zone, diffs),
      ...tlsPolicies.locatedWarnings,
      ...dmarc.locatedWarnings,
      ...described.flatMap(({ consequences }) => consequences),
      ...warnAboutPlan(indexed, destructiveRows)
    ],
    unanswered: [...tlsPolicies.unanswered, ...dmarc.unanswered]
  }
}

interface ChangeContext {
  readonly context: PlanContext
  readonly shouldCompareDmarc: (diff: HostDiff) => boolean
}

/** Formats a row of a plan as a change of the API. */
const toChange = ({ after, before }: PlanRow, destructive: boolean): Change => ({
  action: before === undefined ? "create" : after === undefined ? "delete" : "update",
  ...(before === undefined ? {} : { before: toChangeRecord(before) }),
  ...(after === undefined ? {} : { after: { ...after } }),
  destructive
})

/** Formats a live record as a record of a change. */
export const toChangeRecord = ({ host, priority, ttl, type, value }: LiveRecord): ChangeRecord => ({
  host,
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority }),
  optional: false
})
