import { Doc } from "@effect/printer"
import { Ansi, type AnsiDoc } from "@effect/printer-ansi"
import { Array, Either, Option } from "effect"
import { type FailureCode, formatOptionalFailure } from "../../domain/Connection.ts"
import type { Change, ChangeRecord, Warning } from "../../domain/Plan.ts"
import type { ZoneBasis } from "../../domain/Zone.ts"
import type { ZoneSurveyFailed } from "../../lifecycle/plan/ZoneSurvey.ts"
import { questionKeyOf } from "../../planning/DnsLookup.ts"
import type { PlanRefused, PlanResult } from "../../planning/buildPlan.ts"
import { escapeNonPrintable } from "./BadInput.ts"
import { type DryRun, listUnansweredQuestions } from "./DryRun.ts"

/** Formats a dry run for people, as a document that is laid out and coloured for their terminal. */
export const formatDryRun = (run: DryRun): AnsiDoc.AnsiDoc =>
  joinParagraphs([
    formatHeader(run),
    ...Either.match(run.planned, { onLeft: formatFailure, onRight: formatPlan }),
    ...formatSection(
      "Not known outside the zone",
      listUnansweredQuestions(run).map((question) => Doc.text(escapeNonPrintable(questionKeyOf(question))))
    ),
    ...Either.match(run.planned, { onLeft: () => [], onRight: formatDigest })
  ])

const joinParagraphs = (docs: ReadonlyArray<AnsiDoc.AnsiDoc>): AnsiDoc.AnsiDoc =>
  Doc.vsep(Array.intersperse(docs, Doc.empty))

const formatHeader = ({ intent, provider, zone }: DryRun): AnsiDoc.AnsiDoc =>
  Doc.vsep([
    bold(`Dry run for ${intent.domain}`),
    ...Option.match(zone, {
      onNone: () => [],
      onSome: ({ basis, name }) => [formatField("zone", name), formatField("basis", `${basis}, ${basisTexts[basis]}`)]
    }),
    formatField(
      "provider",
      Option.match(provider, { onNone: () => "not detected", onSome: ({ id, name }) => `${name} (${id})` })
    )
  ])

const basisTexts: { readonly [_ in ZoneBasis]: string } = {
  provider: "the whole zone",
  public_dns: "what its name servers answer at the hosts of the intent"
}

const formatField = (label: string, value: string): AnsiDoc.AnsiDoc =>
  Doc.hcat([dim(`  ${label.padEnd(10)}`), Doc.text(escapeNonPrintable(value))])

const formatPlan = ({ changes, optionalFailures, warnings }: PlanResult): ReadonlyArray<AnsiDoc.AnsiDoc> => [
  ...(changes.length === 0
    ? [Doc.text("No changes: the zone has all desired records.")]
    : [formatChanges(changes), Doc.text(summarize(changes))]),
  ...formatSection("Warnings", warnings.map(formatWarning)),
  ...formatSection(
    "Left out, since they are optional and cannot be planned",
    optionalFailures.map((failure) => Doc.text(formatOptionalFailure(failure)))
  )
]

const formatDigest = ({ digest }: PlanResult): ReadonlyArray<AnsiDoc.AnsiDoc> => [
  Doc.hcat([dim("digest  "), Doc.text(digest)])
]

/** Formats a line for each change: `!` if destructive, action, host, type, TTL in seconds, value. */
const formatChanges = (changes: ReadonlyArray<Change>): AnsiDoc.AnsiDoc =>
  Doc.vsep(
    Array.zipWith(changes, alignColumns(changes.map(cellsOf)), ({ action, destructive }, line) =>
      Doc.cat(destructive ? marker : Doc.text("  "), Doc.annotate(Doc.text(line), colours[action]))
    )
  )

const marker = Doc.annotate(Doc.text("! "), Ansi.combine(Ansi.bold, Ansi.red))

const colours = { create: Ansi.green, update: Ansi.yellow, delete: Ansi.red } as const

const signs = { create: "+ create", update: "~ update", delete: "- delete" } as const

const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = rows.reduce<ReadonlyArray<number>>(
    (widths, row) => row.map((cell, column) => Math.max(cell.length, widths[column] ?? 0)),
    []
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const cellsOf = ({ action, after, before }: Change): ReadonlyArray<string> => {
  const records = [before, after].filter((record) => record !== undefined)
  const beforeAndAfter = (text: (record: ChangeRecord) => string) => Array.dedupe(records.map(text)).join(" → ")
  const [from, to = from] = records.map(({ value }) => value)
  const start = from === to ? 0 : Math.max(0, findFirstDifference(from ?? "", to ?? "") - contextLength)
  return [
    signs[action],
    beforeAndAfter(({ host }) => escapeNonPrintable(host)),
    beforeAndAfter(({ type }) => escapeNonPrintable(type)),
    beforeAndAfter(({ ttl }) => `${ttl}`),
    beforeAndAfter((record) => valueOf(record, start))
  ]
}

const valueOf = ({ priority, type, value }: ChangeRecord, start: number): string => {
  const text = value.length > maxValueLength ? cutExcerpt(value, start) : value
  const written = escapeNonPrintable(type === "TXT" ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text)
  return priority === undefined ? written : `${priority} ${written}`
}

/** A long value is shown in part, from a little before the place where it changes. */
const maxValueLength = 72
const contextLength = 24

const cutExcerpt = (value: string, start: number): string =>
  `${start > 0 ? "…" : ""}${value.slice(start, start + maxValueLength)}${value.length > start + maxValueLength ? "…" : ""}`

const findFirstDifference = (before: string, after: string): number => {
  const index = before.split("").findIndex((character, position) => character !== after[position])
  return index === -1 ? before.length : index
}

const summarize = (changes: ReadonlyArray<Change>): string => {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length
  const destructive = changes.filter((change) => change.destructive).length
  const total = `${count("create")} to create, ${count("update")} to update, ${count("delete")} to delete`
  return destructive === 0 ? `${total}.` : `${total}; ${destructive} destructive (!).`
}

const formatWarning = (warning: Warning): AnsiDoc.AnsiDoc =>
  Doc.vsep([Doc.annotate(Doc.text(warning), Ansi.yellow), formatExplanation(warningTexts[warning])])

const formatFailure = (failure: PlanRefused | ZoneSurveyFailed): ReadonlyArray<AnsiDoc.AnsiDoc> => [
  Doc.vsep([
    Doc.annotate(Doc.text(`This plan would fail: ${failure.code}`), Ansi.combine(Ansi.bold, Ansi.red)),
    formatExplanation(reasonOf(failure))
  ])
]

const reasonOf = (failure: PlanRefused | ZoneSurveyFailed): string =>
  failure._tag === "ZoneSurveyFailed"
    ? (surveyFailureTexts[failure.code] ?? "The zone of the domain could not be found or read.")
    : `${failure.type} ${failure.host}, ${failure.pointer}: ${failure.rule}.`

/** Why a zone could not be found or read. */
const surveyFailureTexts: { readonly [_ in FailureCode]?: string } = {
  domain_not_registered: "The registry has no such domain.",
  domain_has_no_nameservers: "The domain is delegated to no name server that has an address.",
  zone_not_found: "None of the name servers of the domain has its zone.",
  discovery_timeout: "Too few of the name servers answered."
}

const formatExplanation = (sentence: string): AnsiDoc.AnsiDoc => Doc.indent(Doc.reflow(sentence), 2)

const formatSection = (title: string, entries: ReadonlyArray<AnsiDoc.AnsiDoc>): ReadonlyArray<AnsiDoc.AnsiDoc> =>
  entries.length === 0 ? [] : [Doc.vsep([bold(title), ...entries.map((entry) => Doc.indent(entry, 2))])]

const bold = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.bold)

const dim = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.blackBright)

/** The meaning of each plan warning, in one sentence for the operator. */
export const warningTexts: { readonly [_ in Warning]: string } = {
  name_servers_disagree: "The name servers of the zone return different records, so the answer depends on the server.",
  spf_record_merged: "The new senders are added to the existing SPF record, because a host may have only one.",
  spf_policy_replaced: "The result for senders that the SPF record does not list changes.",
  spf_duplicates_collapsed:
    "The host has several SPF records, which makes all of them invalid; they are merged into one.",
  spf_lookup_limit_exceeded:
    "The SPF record exceeds a limit of RFC 7208 section 4.6.4 (10 look-ups, 2 void look-ups, 10 names of an MX): it may fail.",
  spf_lookup_unknown:
    "Not every name in the SPF record could be looked up, so it is unknown whether it exceeds a limit.",
  spf_include_broken:
    "A name that the SPF record includes or redirects to has no valid SPF record, which makes the whole record fail.",
  spf_existing_invalid_replaced: "The existing SPF record is invalid; its invalid terms are removed.",
  spf_excludes_existing_mail:
    "This host receives mail elsewhere and had no SPF record, so the new one ends in ~all and does not reject other senders.",
  spf_allows_all: "The existing SPF record ends in +all, which allows everybody to send in the name of the domain.",
  dmarc_existing_preserved: "The existing DMARC record is valid and stays unchanged.",
  dmarc_existing_invalid_replaced: "The existing DMARC record is invalid and is replaced.",
  dmarc_policy_weakened: "The DMARC policy becomes looser: more mail that fails the checks is delivered.",
  dmarc_policy_strengthened: "The DMARC policy becomes stricter: mail from senders that are not set up may be lost.",
  dmarc_inherited_from_root: "The new DMARC record is copied from that of a parent domain.",
  dmarc_duplicates_collapsed:
    "The host has several DMARC records, which makes all of them invalid; they are merged into one.",
  dmarc_tag_deprecated: "The DMARC record has a tag that RFC 9989 removed: pct, rf or ri.",
  dkim_key_replaced: "A DKIM key is removed or replaced: mail signed with it can no longer be verified.",
  caa_blocks_issuance: "The CAA records will not allow a desired certificate authority to issue.",
  caa_set_created: "From now on, only the certificate authorities in the CAA records may issue for this name.",
  caa_existing_sufficient: "The relevant CAA records already allow a desired issuer, so none is added for it.",
  caa_lookup_unknown: "Not every relevant CAA record could be looked up, so it is unknown who may issue.",
  cname_replaces_records: "A CNAME must be the only record at its host, so all others there are removed.",
  cname_removed: "A CNAME is removed, because it cannot coexist with the desired records at its host.",
  address_records_replaced: "The addresses of a host are replaced: web and other traffic reaches other servers.",
  mx_replaced: "Mail for the host will be delivered to other servers.",
  mail_records_removed: "Records that mail depends on are removed: mail for the host may stop.",
  mail_target_changed: "A host that an MX, SRV or SPF record points to gets other addresses.",
  ns_target_changed: "A host that is the name of a name server gets other addresses.",
  ns_delegation_hides_records: "Records at or below a host that becomes delegated are no longer served.",
  delegation_replaced: "The name servers of a delegated host, or of the zone itself, are replaced.",
  apex_cname_flattened: "The provider answers at the apex with the addresses of the CNAME's target.",
  wildcard_hidden: "A wildcard no longer answers for a name, because the name gets records of its own.",
  proxied_record_present:
    "The provider answers for the host with addresses of its own (a proxy) and continues to do so.",
  ttl_adjusted: "The provider cannot store the desired TTL; the nearest possible one is used.",
  txt_value_split: "A text is longer than 255 bytes and is stored as several strings; nothing is lost.",
  optional_record_skipped: "An optional record cannot be planned and is left out.",
  dnssec_signed_zone: "The zone is signed with DNSSEC; its provider must sign each change.",
  multi_provider_ns: "The name servers belong to several providers; each change must be made at all of them.",
  ns_parent_child_mismatch: "The parent zone and the zone itself list different name servers.",
  other_connection_affected: "Another connection needs a record that is removed or changed.",
  control_not_proven: "Nobody has proven control of the domain.",
  plan_large_deletion: "More than 30 % of the zone is removed, or its own name servers change.",
  provider_zone_differs_from_public_dns: "The zone at the provider differs from what the public DNS answers."
}
