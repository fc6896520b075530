import { Option } from "effect"
import { findSingletonTxtKind, type ZoneRecord } from "../domain/DnsRecord.ts"
import { isDmarc } from "../domain/DmarcRecord.ts"
import type { Warning } from "../domain/Plan.ts"

/** What a warning of a plan is about, for the messages that explain it. */
export type WarningFact = HiddenRecords | BrokenInclude

/** The kinds of records that a host no longer answers with. */
export interface HiddenRecords {
  readonly warning: Extract<Warning, "wildcard_hidden" | "ns_delegation_hides_records">
  readonly host: string
  /** `SPF`, `DKIM`, `DMARC` or another kind of text record, else the type. */
  readonly kinds: ReadonlyArray<string>
}

/** An `include` or `redirect` without a valid SPF record at its name. */
export interface BrokenInclude {
  readonly warning: Extract<Warning, "spf_include_broken">
  readonly host: string
  readonly include: string
  /** Whether the intent requests it, or the owner of the zone has it already. */
  readonly source: "intent" | "zone"
}

/** Each fact once, in the order given. */
export const dedupeFacts = (facts: ReadonlyArray<WarningFact>): ReadonlyArray<WarningFact> => [
  ...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()
]

/** The kind of a record that a host loses: the kind of a policy, else its type. */
export const kindOf = (record: Pick<ZoneRecord, "host" | "type" | "value">): string =>
  findSingletonTxtKind(record) ?? Option.getOrElse(kindAtNameBelow(record), () => record.type)

/** A wildcard answers for the policies of a host too, which are at names below the host. */
const kindAtNameBelow = ({ host, type, value }: Pick<ZoneRecord, "host" | "type" | "value">): Option.Option<string> =>
  Option.fromNullable(
    type === "TXT" && isDmarc(value)
      ? "DMARC"
      : findSingletonTxtKind({ host: `_domainkey.${host}`, type, value: /v\s*=\s*DKIM1/i.test(value) ? value : "" })
  )

/** Whether mail depends on records of a kind. */
export const isMailKind = (kind: string): boolean => mailKinds.has(kind)

const mailKinds: ReadonlySet<string> = new Set(["MX", "SPF", "DKIM", "DMARC"])
