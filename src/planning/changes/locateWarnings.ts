import { findSingletonTxtKind, maxTxtStringLength } from "../../domain/DnsRecord.ts"
import { type Change, type ChangeRecord, hostOfChange, type Warning, type WarningDetail } from "../../domain/Plan.ts"
import type { WarningFact } from "../WarningFact.ts"

/** Finds the changes that each warning is about, and describes what was found out about it. */
export const locateWarnings = (
  warnings: ReadonlyArray<Warning>,
  changes: ReadonlyArray<Change>,
  facts: ReadonlyArray<WarningFact>
): ReadonlyArray<WarningDetail> => {
  const aliasHosts = new Set(changes.flatMap(({ after }) => (after?.type === "CNAME" ? [after.host] : [])))
  return warnings.map((code) => {
    const isAbout = subjects[code] ?? (() => false)
    const found = facts.filter(({ warning }) => warning === code).map(describeFact)
    return {
      code,
      changes: changes.flatMap((change, index) => (isAbout(change, aliasHosts) ? [index] : [])),
      ...(found.length === 0 ? {} : { findings: found.slice(0, maxFindings) })
    }
  })
}

const maxFindings = 10

/** A fact in one sentence for the operator. */
const describeFact = (fact: WarningFact): string =>
  fact.warning === "spf_include_broken"
    ? `${fact.include}, which the SPF record at ${fact.host} points to, has no valid SPF record; ${fact.source === "intent" ? "the platform requests it" : "the owner of the zone has it already"}.`
    : `${fact.host} no longer answers with ${fact.kinds.join(", ")}.`

type Subject = (change: Change, aliasHosts: ReadonlySet<string>) => boolean

const recordsOf = ({ after, before }: Change): ReadonlyArray<ChangeRecord> =>
  [before, after].filter((record) => record !== undefined)

const isOfType =
  (...types: ReadonlyArray<string>): Subject =>
  (change) =>
    recordsOf(change).some(({ type }) => types.includes(type))

const isOfKind =
  (...kinds: ReadonlyArray<string>): Subject =>
  (change) =>
    recordsOf(change).some((record) => kinds.includes(findSingletonTxtKind(record) ?? ""))

const either =
  (...subjects: ReadonlyArray<Subject>): Subject =>
  (change, aliasHosts) =>
    subjects.some((subject) => subject(change, aliasHosts))

const destructive =
  (subject: Subject): Subject =>
  (change, aliasHosts) =>
    change.destructive && subject(change, aliasHosts)

/** That the change removes or replaces a record. */
const existing =
  (subject: Subject): Subject =>
  (change, aliasHosts) =>
    change.before !== undefined && subject(change, aliasHosts)

const spf = isOfKind("SPF")
const dmarc = either(isOfKind("DMARC"), (change) => /^_dmarc(\.|$)/.test(hostOfChange(change)))
const dkim = existing(either(isOfKind("DKIM"), (change) => /(^|\.)_domainkey(\.|$)/.test(hostOfChange(change))))
const caa = isOfType("CAA")
const addresses = isOfType("A", "AAAA", "CNAME", "ALIAS", "HTTPS", "SVCB")
const mail = either(isOfType("MX"), isOfKind("SPF", "DKIM", "DMARC"))

/** The changes that a warning is about, where it is not about the plan as a whole. */
const subjects: { readonly [_ in Warning]?: Subject } = {
  spf_record_merged: spf,
  spf_policy_replaced: spf,
  spf_duplicates_collapsed: spf,
  spf_lookup_limit_exceeded: spf,
  spf_lookup_unknown: spf,
  spf_include_broken: spf,
  spf_existing_invalid_replaced: spf,
  spf_excludes_existing_mail: spf,
  spf_allows_all: spf,
  dmarc_existing_preserved: dmarc,
  dmarc_existing_invalid_replaced: dmarc,
  dmarc_policy_weakened: dmarc,
  dmarc_policy_strengthened: dmarc,
  dmarc_inherited_from_root: dmarc,
  dmarc_duplicates_collapsed: dmarc,
  dmarc_tag_deprecated: dmarc,
  dkim_key_replaced: dkim,
  dkim_key_removed: dkim,
  caa_blocks_issuance: caa,
  caa_set_created: caa,
  caa_lookup_unknown: caa,
  cname_replaces_records: ({ after, before }, aliasHosts) =>
    after === undefined && before !== undefined && aliasHosts.has(before.host),
  cname_removed: ({ after, before }) =>
    before !== undefined && ["CNAME", "ALIAS"].includes(before.type) && after?.type !== before.type,
  address_records_replaced: existing(destructive(addresses)),
  website_replaced: destructive(addresses),
  mx_replaced: isOfType("MX"),
  mail_records_removed: destructive(either(mail, ({ before }) => before === undefined)),
  mail_target_changed: destructive(either(addresses, isOfType("NS", "DNAME"))),
  tls_policy_mismatch: either(isOfType("MX", "TLSA"), destructive(addresses), (change) =>
    /^_mta-sts(\.|$)/.test(hostOfChange(change))
  ),
  ns_target_changed: destructive(either(addresses, isOfType("NS", "DNAME"))),
  ns_delegation_hides_records: ({ after, destructive }) => destructive && after?.type === "NS",
  delegation_replaced: existing(destructive(isOfType("NS", "DS"))),
  apex_cname_flattened: ({ after }) => after?.type === "CNAME" || after?.type === "ALIAS",
  wildcard_hidden: ({ before, destructive }) => destructive && before === undefined,
  txt_value_split: ({ after }) =>
    after?.type === "TXT" && new TextEncoder().encode(after.value).length > maxTxtStringLength,
  other_connection_affected: existing(({ destructive }) => destructive),
  plan_large_deletion: existing(({ destructive }) => destructive)
}
