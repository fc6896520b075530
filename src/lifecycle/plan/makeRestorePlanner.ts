import { DateTime, Effect } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { planRestore } from "../../planning/restore/planRestore.ts"
import { indexZone } from "../../planning/zone/IndexedZone.ts"
import { FactResolver } from "./FactResolver.ts"
import { makeStorableCheck, type PlanningZone } from "./PlanningZone.ts"
import { ZoneTenants } from "./ZoneTenants.ts"

/** Makes the function that plans to remove the records of a connection and to restore a zone that was read. */
export const makeRestorePlanner = Effect.gen(function* () {
  const facts = yield* FactResolver
  const tenants = yield* ZoneTenants

  return Effect.fnUntraced(function* (
    current: ConnectionRecord,
    read: Pick<PlanningZone, "checkRecord" | "limits" | "zone">
  ) {
    const { connection, progress } = current
    const { limits, zone } = read
    const history = yield* tenants.readHistory(zone, current)
    const now = yield* DateTime.now
    const { domain } = history.leaving.intent
    const indexed = yield* computeInSlices(indexZone(zone, { domain, ttl: limits.ttl }))
    const input = {
      ...history,
      zone: indexed,
      domain,
      limits,
      now,
      putBack: progress.putBack,
      canStore: makeStorableCheck(read)
    }
    const planned = yield* facts.resolveFacts((context) => computeInSlices(planRestore({ ...input, context })))
    const { effectiveIntent, optionalFailures } = connection
    return { ...planned, effectiveIntent, optionalFailures }
  })
})
