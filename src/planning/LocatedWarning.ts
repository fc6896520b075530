import {
  findHighestSeverity,
  severityOf,
  Warning,
  type WarningDetail,
  type WarningSeverity
} from "../domain/plan/Warning.ts"
import { describeUnanswered, type LookupQuestion } from "./DnsLookup.ts"
import type { PlanRow } from "./changes/diffZone.ts"

/** A warning of a plan, with the rows that it is about; none if it is about the plan or the zone as a whole. */
export interface LocatedWarning {
  readonly warning: Warning
  readonly rows: ReadonlyArray<PlanRow>
  /** A sentence for the operator about this very plan. */
  readonly finding?: string
  /** The severity, where it differs from the one of the code. */
  readonly severity?: WarningSeverity
}

/** The warnings that an effect of some rows is unknown, because these questions were not answered. */
export const warnAboutUnanswered = (
  rows: ReadonlyArray<PlanRow>,
  questions: ReadonlyArray<LookupQuestion>
): ReadonlyArray<LocatedWarning> =>
  questions.map((question) => ({ warning: "lookup_unknown", rows, finding: describeUnanswered(question) }))

/** Lists each warning once, in the order of the API, with the indexes of its changes, which are those of `rows`. */
export const collectWarnings = (
  locatedWarnings: ReadonlyArray<LocatedWarning>,
  rows: ReadonlyArray<PlanRow>
): { readonly warnings: ReadonlyArray<Warning>; readonly warningDetails: ReadonlyArray<WarningDetail> } => {
  const indexes = new Map(rows.map((row, index) => [row, index]))
  const byCode = Map.groupBy(locatedWarnings, ({ warning }) => warning)
  const warnings = Warning.literals.filter((code) => byCode.has(code))
  return { warnings, warningDetails: warnings.map((code) => toDetail(code, byCode.get(code) ?? [], indexes)) }
}

const toDetail = (
  code: Warning,
  locatedWarnings: ReadonlyArray<LocatedWarning>,
  indexes: ReadonlyMap<PlanRow, number>
): WarningDetail => {
  // Thousands of warnings of one code may share the same thousands of rows.
  const rowLists = new Set(locatedWarnings.map(({ rows }) => rows))
  const changes = new Set([...rowLists].flatMap((rows) => rows.flatMap((row) => indexes.get(row) ?? [])))
  const findings = new Set(locatedWarnings.flatMap(({ finding }) => finding ?? []))
  const severity = findHighestSeverity(locatedWarnings.map(({ severity }) => severity ?? severityOf(code)))
  return {
    code,
    changes: [...changes].toSorted((one, other) => one - other),
    ...(findings.size === 0 ? {} : { findings: [...findings].slice(0, maxFindings) }),
    ...(severity === severityOf(code) ? {} : { severity })
  }
}

export const maxFindings = 10
