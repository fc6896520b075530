import type { Change } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { isEditable, normalizeData } from "../zone/LiveZone.ts"
import { identityOf } from "./computeResultingRecords.ts"

/**
 * Notes in the changes which of the records that they replace or remove have a TTL of the provider's choice in the zone, so
 * that a restore can leave it to the provider again.
 */
export const noteAutomaticTtls = (
  { records }: Pick<Zone, "records">,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Change> => {
  const automatic = new Set(
    records
      .filter((record) => record.automaticTtl === true && isEditable(record))
      .map((record) => identityOf({ ...normalizeData(record), host: record.host.toLowerCase() }))
  )
  return automatic.size === 0
    ? changes
    : changes.map((change) => {
        const { before } = change
        return before !== undefined && automatic.has(identityOf(before))
          ? { ...change, before: { ...before, automaticTtl: true } }
          : change
      })
}
