import { Doc } from "@effect/printer"
import { Ansi, type AnsiDoc } from "@effect/printer-ansi"
import { Array, Either, Option } from "effect"
import { escapeNonPrintable } from "./BadInput.ts"
import { type DryRun, failureOf, listUnansweredQuestions } from "./DryRun.ts"
import { formatOptionalFailure } from "../../domain/connection/Connection.ts"
import {
  explainWarnings,
  toOptionalFailureDetails,
  toPlanDocument
} from "../../domain/connection/ConnectionDocument.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import type { ZoneBasis } from "../../domain/plan/Zone.ts"
import type { ZoneSurveyFailed } from "../../lifecycle/plan/ZoneSurvey.ts"
import { questionKeyOf } from "../../planning/DnsLookup.ts"
import type { PlanRefused, PlanResult } from "../../planning/buildPlan.ts"

/** Formats a dry run for people, as a document that is laid out and coloured for their terminal. */
export const formatDryRun = (run: DryRun): AnsiDoc.AnsiDoc =>
  joinParagraphs([
    formatHeader(run),
    ...Either.match(run.planned, { onLeft: formatFailure, onRight: (result) => formatPlan(result, run.intent.domain) }),
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

const formatPlan = (result: PlanResult, domain: DomainName): ReadonlyArray<AnsiDoc.AnsiDoc> => {
  const { changes, warningDetails } = toPlanDocument(result, domain)
  return [
    ...(changes.length === 0
      ? [Doc.text(explainNoChanges(result.warnings))]
      : [formatChanges(changes), Doc.text(summarize(changes))]),
    ...formatSection("Warnings", warningDetails.map(formatWarning)),
    ...formatSection(
      "Left out, since they are optional and cannot be planned",
      toOptionalFailureDetails(result.optionalFailures, domain, result.zone).map((failure) =>
        Doc.text(formatOptionalFailure({ ...failure, host: zoneHostOf(failure) }))
      )
    )
  ]
}

const explainNoChanges = (warnings: ReadonlyArray<Warning>): string =>
  warnings.some((code) => omissionWarnings.has(code))
    ? "No changes: see the warnings."
    : "No changes: the zone has all desired records."

/** The warnings that say why a desired record is not added. */
const omissionWarnings: ReadonlySet<Warning> = new Set<Warning>([
  "caa_existing_sufficient",
  "caa_not_needed",
  "dmarc_existing_preserved",
  "spf_existing_sufficient",
  "optional_record_skipped"
])

const formatDigest = ({ digest }: PlanResult): ReadonlyArray<AnsiDoc.AnsiDoc> => [
  Doc.hcat([dim("digest  "), Doc.text(digest)])
]

/** Formats a line for each change: `!` if destructive, action, host in the zone, type, TTL in seconds, value. */
const formatChanges = (changes: ReadonlyArray<ChangeLine>): AnsiDoc.AnsiDoc =>
  Doc.vsep(
    Array.zipWith(changes, alignColumns(changes.map(cellsOf)), ({ action, destructive }, line) =>
      Doc.cat(destructive ? marker : Doc.text("  "), Doc.annotate(Doc.text(line), colours[action]))
    )
  )

type ChangeLine = ReturnType<typeof toPlanDocument>["changes"][number]

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

const cellsOf = ({ action, after, before }: ChangeLine): ReadonlyArray<string> => {
  const records = [before, after].filter((record) => record !== undefined)
  const beforeAndAfter = (text: (record: (typeof records)[number]) => string) =>
    Array.dedupe(records.map(text)).join(" → ")
  const [from, to = from] = records.map(({ value }) => value)
  const start = from === to ? 0 : Math.max(0, findFirstDifference(from ?? "", to ?? "") - contextLength)
  return [
    signs[action],
    beforeAndAfter((record) => escapeNonPrintable(zoneHostOf(record))),
    beforeAndAfter(({ type }) => escapeNonPrintable(type)),
    beforeAndAfter(({ ttl }) => `${ttl}`),
    beforeAndAfter((record) => valueOf(record, start))
  ]
}

/** The host as the DNS settings of a provider take it. */
const zoneHostOf = ({ name, zoneHost = name }: { readonly name: string; readonly zoneHost?: string }): string =>
  zoneHost

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

const summarize = (changes: ReadonlyArray<Pick<Change, "action" | "destructive">>): string => {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length
  const destructive = changes.filter((change) => change.destructive).length
  const total = `${count("create")} to create, ${count("update")} to update, ${count("delete")} to delete`
  return destructive === 0 ? `${total}.` : `${total}; ${destructive} destructive (!).`
}

const formatWarning = ({ code, message, requiresAcknowledgement, severity }: WarningLine): AnsiDoc.AnsiDoc =>
  Doc.vsep([
    Doc.hcat([
      Doc.annotate(Doc.text(code), requiresAcknowledgement ? Ansi.red : Ansi.yellow),
      Doc.text(requiresAcknowledgement ? ` (${severity}, to be acknowledged)` : ` (${severity})`)
    ]),
    formatExplanation(escapeNonPrintable(message))
  ])

type WarningLine = ReturnType<typeof explainWarnings>[number]

const formatFailure = (failure: PlanRefused | ZoneSurveyFailed): ReadonlyArray<AnsiDoc.AnsiDoc> => {
  const { code, details = [], message } = failureOf(failure)
  const prefix = failure._tag === "PlanRefused" ? `${failure.pointer}: ` : ""
  return [
    Doc.vsep([
      Doc.annotate(Doc.text(`This plan would fail: ${code}`), Ansi.combine(Ansi.bold, Ansi.red)),
      formatExplanation(message),
      ...details.map((detail) => formatExplanation(escapeNonPrintable(`${prefix}${detail.message}`)))
    ])
  ]
}

const formatExplanation = (sentence: string): AnsiDoc.AnsiDoc => Doc.indent(Doc.reflow(sentence), 2)

const formatSection = (title: string, entries: ReadonlyArray<AnsiDoc.AnsiDoc>): ReadonlyArray<AnsiDoc.AnsiDoc> =>
  entries.length === 0 ? [] : [Doc.vsep([bold(title), ...entries.map((entry) => Doc.indent(entry, 2))])]

const bold = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.bold)

const dim = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.blackBright)
