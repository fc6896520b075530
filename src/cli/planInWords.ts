import { Doc } from "@effect/printer"
import { Ansi, type AnsiDoc } from "@effect/printer-ansi"
import { Array, Either, Option } from "effect"
import type { FailureCode } from "../domain/Connection.ts"
import type { Change, Warning } from "../domain/Plan.ts"
import type { ZoneBasis } from "../domain/Zone.ts"
import type { SurveyFailed } from "../lifecycle/Survey.ts"
import type { Planned, PlanRefused } from "../planning/buildPlan.ts"
import { type Question, questionKey } from "../planning/Lookup.ts"
import { changesInWords } from "./changesInWords.ts"
import type { DryRun } from "./DryRun.ts"
import { printable } from "./printable.ts"
import { warningsInWords } from "./warningsInWords.ts"

/** A dry run for people, as a document that is laid out and coloured for their terminal. */
export const planInWords = (run: DryRun): AnsiDoc.AnsiDoc =>
  paragraphs([header(run), ...Either.match(run.planned, { onLeft: refusal, onRight: plan })])

const paragraphs = (docs: ReadonlyArray<AnsiDoc.AnsiDoc>): AnsiDoc.AnsiDoc =>
  Doc.vsep(Array.intersperse(docs, Doc.empty))

const header = ({ intent, provider, zone }: DryRun): AnsiDoc.AnsiDoc =>
  Doc.vsep([
    bold(`Dry run for ${intent.domain}`),
    ...Option.match(zone, {
      onNone: () => [],
      onSome: ({ basis, name }) => [labelled("zone", name), labelled("basis", `${basis}, ${bases[basis]}`)]
    }),
    labelled(
      "provider",
      Option.match(provider, { onNone: () => "not found out", onSome: ({ id, name }) => `${name} (${id})` })
    )
  ])

const bases: { readonly [_ in ZoneBasis]: string } = {
  provider: "the whole zone",
  public_dns: "what its name servers answer at the hosts of the intent"
}

const labelled = (label: string, value: string): AnsiDoc.AnsiDoc =>
  Doc.hcat([dim(`  ${label.padEnd(10)}`), Doc.text(printable(value))])

const plan = ({ changes, digest, optionalFailures, unanswered, warnings }: Planned): ReadonlyArray<AnsiDoc.AnsiDoc> => [
  ...(changes.length === 0
    ? [Doc.text("No changes: the zone has all that is wanted.")]
    : [changesInWords(changes), Doc.text(sumOf(changes))]),
  ...section("Warnings", warnings.map(warningInWords)),
  ...section("Left out, since they are optional and cannot be planned", optionalFailures.map(Doc.text)),
  ...unknown(unanswered),
  Doc.hcat([dim("digest  "), Doc.text(digest)])
]

const sumOf = (changes: ReadonlyArray<Change>): string => {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length
  const destructive = changes.filter((change) => change.destructive).length
  const total = `${count("create")} to create, ${count("update")} to update, ${count("delete")} to delete`
  return destructive === 0 ? `${total}.` : `${total}; ${destructive} destructive (!).`
}

const warningInWords = (warning: Warning): AnsiDoc.AnsiDoc =>
  Doc.vsep([Doc.annotate(Doc.text(warning), Ansi.yellow), explanation(warningsInWords[warning])])

const explanation = (sentence: string): AnsiDoc.AnsiDoc => Doc.indent(Doc.reflow(sentence), 2)

const refusal = (refused: PlanRefused | SurveyFailed): ReadonlyArray<AnsiDoc.AnsiDoc> => {
  const title = Doc.annotate(Doc.text(`This plan would fail: ${refused.code}`), Ansi.combine(Ansi.bold, Ansi.red))
  if (refused._tag === "SurveyFailed") return [Doc.vsep([title, ...sentenceOn(refused.code).map(explanation)])]
  const { host, pointer, rule, type, unanswered } = refused
  return [Doc.vsep([title, explanation(`${type} ${host}, ${pointer}: ${rule}.`)]), ...unknown(unanswered)]
}

const sentenceOn = (code: FailureCode): ReadonlyArray<string> => Option.toArray(Option.fromNullable(unreadable[code]))

/** Why no zone could be found or read. */
const unreadable: { readonly [_ in FailureCode]?: string } = {
  domain_not_registered: "The registry says that there is no such domain.",
  domain_has_no_nameservers: "The domain is delegated to no name server that has an address.",
  zone_not_found: "None of the name servers of the domain has its zone.",
  discovery_timeout: "Too few of the name servers answered to say what there is."
}

const unknown = (questions: ReadonlyArray<Question>) =>
  section(
    "Not known beyond the zone",
    Array.dedupe(questions.map(questionKey)).map((key) => Doc.text(printable(key)))
  )

const section = (title: string, entries: ReadonlyArray<AnsiDoc.AnsiDoc>): ReadonlyArray<AnsiDoc.AnsiDoc> =>
  entries.length === 0 ? [] : [Doc.vsep([bold(title), ...entries.map((entry) => Doc.indent(entry, 2))])]

const bold = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.bold)

const dim = (text: string): AnsiDoc.AnsiDoc => Doc.annotate(Doc.text(text), Ansi.blackBright)
