import { Warning, type WarningDetail, type WarningSeverity } from "../domain/Plan.ts"
import { findGravest, severityOf } from "../domain/warningSeverity.ts"
import type { PlanRow } from "./changes/diffZone.ts"

/** A warning of a plan, with the rows that it is about; none if it is about the plan or the zone as a whole. */
export interface WarningFact {
  readonly warning: Warning
  readonly rows: ReadonlyArray<PlanRow>
  /** A sentence for the operator about this very plan. */
  readonly finding?: string
  /** Where it is less grave than its code says. */
  readonly severity?: WarningSeverity
}

/** Each warning of the facts once, in the order of the API, with the places of its changes, which are those of `rows`. */
export const collectWarnings = (
  facts: ReadonlyArray<WarningFact>,
  rows: ReadonlyArray<PlanRow>
): { readonly warnings: ReadonlyArray<Warning>; readonly warningDetails: ReadonlyArray<WarningDetail> } => {
  const places = new Map(rows.map((row, place) => [row, place]))
  const byCode = Map.groupBy(facts, ({ warning }) => warning)
  const warnings = Warning.literals.filter((code) => byCode.has(code))
  return { warnings, warningDetails: warnings.map((code) => toDetail(code, byCode.get(code) ?? [], places)) }
}

const toDetail = (
  code: Warning,
  facts: ReadonlyArray<WarningFact>,
  places: ReadonlyMap<PlanRow, number>
): WarningDetail => {
  const changes = new Set(facts.flatMap(({ rows }) => rows.flatMap((row) => places.get(row) ?? [])))
  const findings = new Set(facts.flatMap(({ finding }) => finding ?? []))
  const severity = findGravest(facts.map((fact) => fact.severity ?? severityOf(code)))
  return {
    code,
    changes: [...changes].toSorted((one, other) => one - other),
    ...(findings.size === 0 ? {} : { findings: [...findings].slice(0, maxFindings) }),
    ...(severity === severityOf(code) ? {} : { severity })
  }
}

const maxFindings = 10
