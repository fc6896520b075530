import { maxTxtStringLength } from "../../domain/DnsRecord.ts"
import { type Change, Warning } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import type { HostDiff, PlanRow } from "./diffZone.ts"

/** What to look at before approving, by the rows of one host and the roles that are wanted there. */
export const hostWarnings = ({ proxied, roles, rows, ttlAdjusted }: HostDiff): ReadonlyArray<Warning> => [
  ...rows.flatMap((row) => rules.filter(([, applies]) => applies(row, roles)).map(([warning]) => warning)),
  ...(proxied.length > 0 ? ["proxied_record_present" as const] : []),
  ...(ttlAdjusted ? ["ttl_adjusted" as const] : [])
]

/** What to look at in the plan as a whole: how much of a zone goes is known only where the whole zone is. */
export const planWarnings = ({ basis, records }: Zone, changes: ReadonlyArray<Change>): ReadonlyArray<Warning> => {
  const going = changes.filter(
    ({ after, before, destructive }) => before !== undefined && destructive && before.value !== after?.value
  )
  const isLarge = basis === "provider" && records.length >= smallZone && going.length > records.length * largeShare
  return isLarge ? ["plan_large_deletion"] : []
}

const smallZone = 10
const largeShare = 0.3

/** Each warning once, in the order of the contract. */
export const sortWarnings = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => {
  const given = new Set(warnings)
  return Warning.literals.filter((warning) => given.has(warning))
}

type Applies = (row: PlanRow, roles: ReadonlySet<string>) => boolean

/** A record that goes because another role is wanted at its host. */
const isDisplaced: Applies = (row, roles) => row.after === undefined && !roles.has(row.role)

const isAlias = (role: string): boolean => role === "CNAME" || role === "ALIAS"

const addressing: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB", "WEB"])
const delegating: ReadonlySet<string> = new Set(["NS", "DELEGATION", "DS"])

const rules: ReadonlyArray<readonly [Warning, Applies]> = [
  ["dkim_key_replaced", (row) => row.before !== undefined && row.dropsData && singletonTxtKind(row.before) === "DKIM"],
  ["cname_replaces_records", (row, roles) => roles.has("CNAME") && isDisplaced(row, roles)],
  [
    "cname_removed",
    (row, roles) => isAlias(row.role) && isDisplaced(row, roles) && roles.size > 0 && ![...roles].some(isAlias)
  ],
  [
    "address_records_replaced",
    (row, roles) => addressing.has(row.role) && row.dropsData && ["A", "AAAA", "ALIAS"].some((role) => roles.has(role))
  ],
  ["mx_replaced", (row, roles) => row.role === "MX" && row.dropsData && roles.has("MX")],
  [
    "mail_records_removed",
    (row, roles) =>
      row.before !== undefined &&
      isDisplaced(row, roles) &&
      (row.role === "MX" || singletonTxtKind(row.before) !== undefined)
  ],
  [
    "ns_delegation_hides_records",
    (row, roles) => roles.has("DELEGATION") && row.role !== "DS" && isDisplaced(row, roles)
  ],
  ["delegation_replaced", (row) => delegating.has(row.role) && row.dropsData],
  ["apex_cname_flattened", ({ after, role }) => role === "ALIAS" && after !== undefined],
  [
    "txt_value_split",
    ({ after }) => after?.type === "TXT" && new TextEncoder().encode(after.value).length > maxTxtStringLength
  ],
  // The name servers of the zone itself count as much as a large part of it.
  ["plan_large_deletion", ({ role }) => role === "NS"]
]
