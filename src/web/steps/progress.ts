import { html, nothing, type TemplateResult } from "lit"
import type { ObservationStatus } from "../../domain/plan/RecordObservation.ts"
import { domainOf, isWebRecord, nameOf, type ObservationsDocument } from "../ConnectionDocument.ts"
import {
  describePurpose,
  formatDuration,
  formatRelativeTime,
  icons,
  renderBadge,
  renderHeading,
  type Tone
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { providersOf } from "./sentences.ts"

/** The step that shows what the service is doing, what it waits for, and when it checks next. */
export const renderProgress = (view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const [title, text] = textsOf(view)
  const values = { domain: domainOf(connection), provider: providersOf(view) ?? "" }
  const isVerifying = connection.state === "verifying"
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${renderHeading(interpolate(title, values))}
      <p class="lead">${connection.delay ? words.progressDelay : interpolate(text, values)}</p>
    </div>
    ${["authorized", "applying", "verifying"].includes(connection.state) ? renderStages(view) : nothing}
    ${isVerifying ? html`${renderEstimate(view)}${renderAwaitedRecords(view)}${renderNextCheck(view)}` : nothing}`
}

const textsOf = ({ connection: { state }, words }: ViewModel): readonly [title: string, text: string] => {
  switch (state) {
    case "authorized":
      return [words.progressAuthorized, words.progressAuthorizedText]
    case "applying":
      return [words.progressApplying, words.progressWritingText]
    case "verifying":
      return [words.progressVerifying, words.progressVerifyingText]
    case "disconnecting":
      return [words.progressDisconnecting, words.progressWritingText]
    default:
      return [words.progressRequested, words.progressRequestedText]
  }
}

/** How far it is: allowed, written, seen by the servers of the domain, seen by everybody. */
const renderStages = (view: ViewModel): TemplateResult => {
  const { connection, observations, words } = view
  const isVerifying = connection.state === "verifying"
  const [own, others] = (["authoritative", "public"] as const).map((kind) => countServers(observations, kind))
  const stages: ReadonlyArray<readonly [text: string, isDone: boolean]> = [
    [words.stageAllowed, true],
    [words.stageWritten, isVerifying],
    [own?.asked ? formatCount(words.stageServers, own) : words.stageServersSoon, isAll(own)],
    [others?.asked ? formatCount(words.stageEverybody, others) : words.stageEverybodySoon, isAll(own) && isAll(others)]
  ]
  return html`<ol class="stages" part="stages">
    ${stages.map(
      ([text, isDone]) =>
        html`<li class=${isDone ? "good" : "plain"}>
          ${isDone ? icons.good : icons.wait}<span
            >${text}<span class="unseen">${isDone ? ` (${words.done})` : ""}</span></span
          >
        </li>`
    )}
  </ol>`
}

const formatCount = (text: string, seen: ServerCount | undefined): string =>
  interpolate(text, { showing: `${seen?.showing ?? 0}`, asked: `${seen?.asked ?? 0}` })

interface ServerCount {
  readonly showing: number
  readonly asked: number
}

const isAll = (count: ServerCount | undefined): boolean =>
  count !== undefined && count.asked > 0 && count.showing === count.asked

/** How many servers of a kind show every record, of those that were asked. */
const countServers = (
  observations: ObservationsDocument | undefined,
  kind: "authoritative" | "public"
): ServerCount => {
  const answers = (observations?.records ?? []).flatMap(({ observed }) => observed.filter((each) => each.kind === kind))
  const byServer = [...Map.groupBy(answers, ({ server }) => server).values()]
  return {
    asked: byServer.length,
    showing: byServer.filter((statuses) => statuses.every(({ status }) => status === "present")).length
  }
}

/** The longest time for which anybody may remember the page, or the mail server, that was there before. */
const renderEstimate = (view: ViewModel): ReadonlyArray<TemplateResult> => {
  const replaced = (view.connection.plan?.changes ?? []).flatMap(({ after, before }) =>
    before === undefined || before.value === after?.value ? [] : before
  )
  const estimates = [
    [view.words.estimate, replaced.filter(isWebRecord)],
    [view.words.estimateMail, replaced.filter(({ type, value }) => type === "MX" && value !== ".")]
  ] as const
  return estimates.flatMap(([text, records]) => {
    if (records.length === 0) return []
    const time = formatDuration(Math.max(...records.map(({ ttl }) => ttl)), view)
    return html`<p class="quiet">${interpolate(text, { time })}</p>`
  })
}

const renderAwaitedRecords = (view: ViewModel) =>
  renderRecordChecks(view.words.checks, view.observations?.records ?? [], view)

/** A list of desired records with the status of each on the name servers. */
export const renderRecordChecks = (
  title: string,
  records: ObservationsDocument["records"],
  view: ViewModel
): TemplateResult | typeof nothing => {
  if (records.length === 0) return nothing
  return html`<section aria-labelledby="checks">
    <h3 id="checks">${title}</h3>
    <ul class="checks" part="checks">
      ${records.map(
        ({ expected, status }) =>
          html`<li>
            <span
              ><bdi dir="ltr">${nameOf(expected)}</bdi> <small>${describePurpose(expected, view.words)}</small></span
            >
            ${renderStatusBadge(status, view)}
          </li>`
      )}
    </ul>
  </section>`
}

/** A badge with the status of a desired record: red only for what is wrong once it was right, never for what is awaited. */
export const renderStatusBadge = (status: ObservationStatus, { connection, words }: ViewModel): TemplateResult => {
  const different: Tone = connection.state === "degraded" ? "bad" : "wait"
  const badges: { readonly [_ in ObservationStatus]: readonly [Tone, string] } = {
    present: ["good", words.statusPresent],
    missing: ["wait", words.statusMissing],
    different: [different, words.statusDifferent],
    unknown: ["plain", words.statusUnknown]
  }
  return renderBadge(...badges[status])
}

/** When the service checks the name servers again; a time in the past reads as “now”. */
export const renderNextCheck = (view: ViewModel): TemplateResult | typeof nothing => {
  const { now, observations, words } = view
  const next = observations?.nextCheckAt
  if (next === undefined) return nothing
  const text =
    Date.parse(next) <= now ? words.nextLookSoon : interpolate(words.nextLook, { when: formatRelativeTime(next, view) })
  return html`<p class="quiet" part="next-look">${text}</p>`
}
