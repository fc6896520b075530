import { onceOnlyKind } from "../domain/DnsRecord.ts"
import { Warning } from "../domain/Plan.ts"
import { dropsData, type HostDiff, type Row } from "./diff.ts"

/** What to look at before approving, by the rows of one host and the roles that are wanted there. */
export const warningsAt = ({ roles, rows }: HostDiff): ReadonlyArray<Warning> =>
  rows.flatMap((row) => rules.filter(([, applies]) => applies(row, roles)).map(([warning]) => warning))

/** Each warning once, in the order of the contract. */
export const inOrder = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => {
  const given = new Set(warnings)
  return Warning.literals.filter((warning) => given.has(warning))
}

type Applies = (row: Row, roles: ReadonlySet<string>) => boolean

/** A record that goes because another role is wanted at its host. */
const isDisplaced: Applies = (row, roles) => row.after === undefined && !roles.has(row.role)

const isAlias = (role: string): boolean => role === "CNAME" || role === "ALIAS"

const isNew =
  (kind: "SPF" | "DMARC"): Applies =>
  ({ after }) =>
    after !== undefined && onceOnlyKind(after) === kind

const addressing: ReadonlySet<string> = new Set(["A", "AAAA", "HTTPS", "SVCB"])
const delegating: ReadonlySet<string> = new Set(["NS", "DELEGATION", "DS"])
const maxCharacterString = 255

const rules: ReadonlyArray<readonly [Warning, Applies]> = [
  ["spf_rules_not_applied", isNew("SPF")],
  ["dmarc_rules_not_applied", isNew("DMARC")],
  ["caa_rules_not_applied", ({ after }) => after?.type === "CAA"],
  ["dkim_key_replaced", (row) => row.before !== undefined && dropsData(row) && onceOnlyKind(row.before) === "DKIM"],
  ["cname_replaces_records", (row, roles) => roles.has("CNAME") && isDisplaced(row, roles)],
  ["cname_removed", (row, roles) => isAlias(row.role) && isDisplaced(row, roles) && ![...roles].some(isAlias)],
  [
    "address_records_replaced",
    (row, roles) => addressing.has(row.role) && dropsData(row) && ["A", "AAAA", "ALIAS"].some((role) => roles.has(role))
  ],
  ["mx_replaced", (row, roles) => row.role === "MX" && dropsData(row) && roles.has("MX")],
  [
    "mail_records_removed",
    (row, roles) =>
      row.before !== undefined &&
      isDisplaced(row, roles) &&
      (row.role === "MX" || onceOnlyKind(row.before) !== undefined)
  ],
  [
    "ns_delegation_hides_records",
    (row, roles) => roles.has("DELEGATION") && row.role !== "DS" && isDisplaced(row, roles)
  ],
  ["delegation_replaced", (row) => delegating.has(row.role) && dropsData(row)],
  ["apex_cname_flattened", ({ after, role }) => role === "ALIAS" && after !== undefined],
  [
    "txt_value_split",
    ({ after }) => after?.type === "TXT" && new TextEncoder().encode(after.value).length > maxCharacterString
  ],
  // How much of a zone goes is known only where the whole zone is; its own name servers count in any case.
  ["plan_large_deletion", ({ role }) => role === "NS"]
]
