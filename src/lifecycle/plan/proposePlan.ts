import type { DateTime } from "effect"
import { apexHost } from "../../domain/names/DomainName.ts"
import { maxMailServers, Plan } from "../../domain/plan/Plan.ts"
import { nullTarget } from "../../domain/records/target.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import { sortWarnings } from "../../planning/changes/warnings.ts"
import type { ProposedPlan } from "../state/LifecycleEvent.ts"
import type { SurveyedZone } from "./ZoneSurvey.ts"

/** Makes the plan of a connection, and the fields of the connection that follow from it. */
export const proposePlan = (planned: PlannedChanges, read: SourceZone, expiresAt: DateTime.Utc): ProposedPlan => {
  const { contested, control, effectiveIntent, leftovers, optionalFailures } = planned
  return {
    plan: toPlan(planned, read, expiresAt),
    effectiveIntent,
    optionalFailures,
    ...(leftovers === undefined ? {} : { leftovers }),
    ...(control === undefined ? {} : { control }),
    ...(contested === undefined ? {} : { contested })
  }
}

/** The plan as connections keep it; its warnings are those of the changes and those of the zone. */
const toPlan = (
  { changes, digest, zone, ...planned }: PlanContent,
  read: SourceZone,
  expiresAt: DateTime.Utc
): Plan => {
  const warnings = sortWarnings([...planned.warnings, ...read.warnings])
  const detailOf = new Map(planned.warningDetails.map((detail) => [detail.code, detail]))
  const warningDetails = warnings.map((code) => detailOf.get(code) ?? { code, changes: [] })
  const mailServers = listMailServers(read.zone)
  return Plan.make({
    digest,
    zone,
    basis: read.zone.basis,
    changes,
    warnings,
    warningDetails,
    ...(mailServers.length === 0 ? {} : { mailServers }),
    expiresAt
  })
}

const listMailServers = ({ records }: SourceZone["zone"]): ReadonlyArray<string> =>
  records
    .filter(({ host, type, value }) => host === apexHost && type === "MX" && value !== nullTarget)
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    .slice(0, maxMailServers)
    .map(({ value }) => value)

/** The zone that was planned from; the warnings are about the zone itself. */
type SourceZone = Pick<SurveyedZone, "warnings" | "zone">

/** The result of planning in either direction: the changes, and the fields of the connection that follow from them. */
type PlannedChanges = PlanContent & Omit<ProposedPlan, "plan">

type PlanContent = Pick<PlanResult, "changes" | "digest" | "warningDetails" | "warnings" | "zone">
