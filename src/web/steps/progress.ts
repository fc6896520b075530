import { html, nothing, type TemplateResult } from "lit"
import type { ObservationStatus } from "../../domain/plan/RecordObservation.ts"
import type { ObservationsDocument } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { describePurpose, formatRelativeTime, renderBadge, renderHeading, type Tone } from "../templates.ts"

/** The step that shows what the service is doing, what it waits for, and when it checks next. */
export const renderProgress = (view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const [title, text] = textsOf(view)
  const values = { domain: connection.intent.domain, provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${renderHeading(interpolate(title, values))}
      <p class="lead">${connection.delay ? words.progressDelay : interpolate(text, values)}</p>
    </div>
    ${connection.state === "verifying" ? html`${renderAwaitedRecords(view)}${renderNextCheck(view)}` : nothing}`
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
            <span>${expected.name} <small>${describePurpose(expected, view.words)}</small></span>
            ${renderStatusBadge(status, view)}
          </li>`
      )}
    </ul>
  </section>`
}

/** A badge with the status of a desired record. */
export const renderStatusBadge = (status: ObservationStatus, { words }: ViewModel): TemplateResult => {
  const badges: { readonly [_ in ObservationStatus]: readonly [Tone, string] } = {
    present: ["good", words.statusPresent],
    missing: ["wait", words.statusMissing],
    different: ["bad", words.statusDifferent],
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
