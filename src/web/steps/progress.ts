import { html, nothing, type TemplateResult } from "lit"
import type { ObservationStatus } from "../../domain/Observation.ts"
import { fullName, type ObservationsDocument } from "../documents.ts"
import { badge, heading, type Tone, untilThen } from "../pieces.ts"
import { purposeOf } from "../recordsInWords.ts"
import { fill, type View } from "../View.ts"

/** What is going on, what is awaited, and when the next look is. */
export const progress = (view: View): TemplateResult => {
  const { connection } = view
  const [title, text] = said(view)
  const values = { domain: connection.intent.domain, provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${heading(fill(title, values))}
      <p class="lead">${fill(text, values)}</p>
    </div>
    ${connection.state === "verifying" ? html`${awaited(view)}${nextLook(view)}` : nothing}`
}

const said = ({ connection: { state }, words }: View): readonly [title: string, text: string] => {
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

const awaited = (view: View) => checks(view.words.checks, view.observations?.records ?? [], view)

/** Wanted records and whether the servers show them. */
export const checks = (
  title: string,
  records: ObservationsDocument["records"],
  view: View
): TemplateResult | typeof nothing => {
  if (records.length === 0) return nothing
  return html`<section aria-labelledby="checks">
    <h3 id="checks">${title}</h3>
    <ul class="checks" part="checks">
      ${records.map(
        ({ expected, status }) =>
          html`<li>
            <span>${fullName(expected.host, view.connection)} <small>${purposeOf(expected, view.words)}</small></span>
            ${statusBadge(status, view)}
          </li>`
      )}
    </ul>
  </section>`
}

/** Whether a wanted record is served, in a word. */
export const statusBadge = (status: ObservationStatus, { words }: View): TemplateResult => {
  const shown: { readonly [_ in ObservationStatus]: readonly [Tone, string] } = {
    present: ["good", words.statusPresent],
    missing: ["wait", words.statusMissing],
    different: ["bad", words.statusDifferent],
    unknown: ["plain", words.statusUnknown]
  }
  return badge(...shown[status])
}

/** When the servers are asked again; a moment in the past is now. */
export const nextLook = (view: View): TemplateResult | typeof nothing => {
  const { now, observations, words } = view
  const next = observations?.nextCheckAt
  if (next === undefined) return nothing
  const text = Date.parse(next) <= now ? words.nextLookSoon : fill(words.nextLook, { when: untilThen(next, view) })
  return html`<p class="quiet" part="next-look">${text}</p>`
}
