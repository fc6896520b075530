import { html, nothing, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { buttonRow, heading, icons, primaryButton, secondaryButton } from "../templates.ts"
import { recordChecks } from "./progress.ts"

/** The step that says what went wrong, why, and what to do about it. */
export const failure = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const { domain } = connection.intent
  const { next, reason, title } = textsOf(view)
  const code = connection.state === "failed" ? connection.failure?.code : undefined
  const remedy = remedyOf(view)
  return html`<div class="centre">
      <span class="sign bad" aria-hidden="true">${icons.alert}</span>
      ${heading(title)}
      <p class="lead">${interpolate(reason, { domain })}</p>
      ${next === undefined ? nothing : html`<p>${next}</p>`}
    </div>
    ${connection.state === "degraded" ? missingRecords(view) : nothing}
    ${buttonRow(
      remedy === undefined ? nothing : primaryButton(remedy, view, actions.retry),
      secondaryButton(words.close, actions.close)
    )}
    ${code === undefined ? nothing : html`<p class="quiet centre">${interpolate(words.supportCode, { code })}</p>`}`
}

/** The desired records that the name servers no longer answer. */
const missingRecords = (view: ViewModel) => {
  const records = (view.observations?.records ?? []).filter(({ status }) => ["missing", "different"].includes(status))
  const { lost, statusLost } = view.words
  // A record that was served before is lost, not “not there yet”.
  return recordChecks(lost, records, { ...view, words: { ...view.words, statusMissing: statusLost } })
}

const textsOf = ({ connection: { failure, state }, words }: ViewModel) => {
  if (state === "degraded") return { title: words.degradedTitle, reason: words.degradedText, next: undefined }
  if (state === "expired") return { title: words.expiredTitle, reason: words.expiredText, next: undefined }
  if (state === "canceled") return { title: words.canceledTitle, reason: words.canceledText, next: undefined }
  return { title: words.failureTitle, ...words.failures[failure?.code ?? "internal_error"] }
}

const remedyOf = ({ connection: { failure, state }, words }: ViewModel): string | undefined => {
  if (state === "degraded") return words.repair
  return state === "failed" && failure?.retryable === true ? words.tryAgain : undefined
}
