import { findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { PolicyKind, PolicyWarning } from "../planPolicies.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** Finds the rows that warnings about policies are about: those of the policy at its host, or none if it stays. */
export const locatePolicyWarnings = (
  warnings: ReadonlyArray<PolicyWarning>,
  diffs: ReadonlyArray<HostDiff>
): ReadonlyArray<LocatedWarning> => {
  const rowsAt = new Map(diffs.map(({ host, rows }) => [host, rows]))
  return warnings.map(({ host, kind, ...warning }) => ({
    ...warning,
    rows: (rowsAt.get(host) ?? []).filter((row) => concerns(row, kind))
  }))
}

/** An alias stands for the policy or key that it leads to. */
const concerns = ({ after, before, role }: PlanRow, kind: PolicyKind): boolean =>
  role === kind ||
  ((kind === "DMARC" || kind === "DKIM") && role === "CNAME") ||
  [before, after].some((record) => record !== undefined && findSingletonTxtKind(record) === kind)
