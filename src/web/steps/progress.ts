import { html, nothing, type TemplateResult } from "lit"
import type { ObservationStatus } from "../../domain/RecordObservation.ts"
import { fullName, type ObservationsDocument } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { recordPurpose } from "../recordText.ts"
import { badge, heading, relativeTime, type Tone } from "../templates.ts"

/** What is going on, what is awaited, and when the next look is. */
export const progress = (view: ViewModel): TemplateResult => {
  const { connection } = view
  const [title, text] = said(view)
  const values = { domain: connection.intent.domain, provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${heading(interpolate(title, values))}
      <p class="lead">${interpolate(text, values)}</p>
    </div>
    ${connection.state === "verifying" ? html`${awaited(view)}${nextCheckText(view)}` : nothing}`
}

const said = ({ connection: { state }, words }: ViewModel): readonly [title: string, text: string] => {
  switch (state) {
    case "authorized":
      return [words.progressAuthorized, words.progressAuthorizedText]
    case "applying":
      return [words.progressApplying, words.progressApplyingText]
    case "verifying":
      return [words.progressVerifying, words.progressVerifyingText]
    case "disconnecting":
      return [words.progressDisconnecting, words.progressDisconnectingText]
    default:
      return [words.progressRequested, words.progressRequestedText]
  }
}

const awaited = (view: ViewModel) => recordChecks(view.words.checks, view.observations?.records ?? [], view)

/** Wanted records and whether the servers show them. */
export const recordChecks = (
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
              >${fullName(expected.host, view.connection)} <small>${recordPurpose(expected, view.words)}</small></span
            >
            ${statusBadge(status, view)}
          </li>`
      )}
    </ul>
  </section>`
}

/** Whether a wanted record is served, in a word. */
export const statusBadge = (status: ObservationStatus, { words }: ViewModel): TemplateResult => {
  const shown: { readonly [_ in ObservationStatus]: readonly [Tone, string] } = {
    present: ["good", words.statusPresent],
    missing: ["wait", words.statusMissing],
    different: ["bad", words.statusDifferent],
    unknown: ["plain", words.statusUnknown]
  }
  return badge(...shown[status])
}

/** When the servers are asked again; a moment in the past is now. */
export const nextCheckText = (view: ViewModel): TemplateResult | typeof nothing => {
  const { now, observations, words } = view
  const next = observations?.nextCheckAt
  if (next === undefined) return nothing
  const text =
    Date.parse(next) <= now ? words.nextLookSoon : interpolate(words.nextLook, { when: relativeTime(next, view) })
  return html`<p class="quiet" part="next-look">${text}</p>`
}
