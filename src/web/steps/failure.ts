import { html, nothing, type TemplateResult } from "lit"
import { domainOf, type FailureDetail, isAllowed } from "../ConnectionDocument.ts"
import {
  icons,
  renderBadge,
  renderButtonRow,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton,
  type Tone
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { renderRecordChecks } from "./progress.ts"

/** The step that says what went wrong, why, what is done and what is not, and how to go on. */
export const renderFailure = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const { next, reason, title } = textsOf(view)
  const { failure, provider, state } = connection
  const code = state === "failed" ? failure?.code : undefined
  const canRetry = state === "failed" && failure?.retryable === true && isAllowed(connection, "retry")
  const canEnter =
    state === "failed" && isAllowed(connection, "authorization") && connection.allowedActions !== undefined
  return html`<div class="centre">
      <span class="sign ${state === "failed" ? "bad" : "plain"}" aria-hidden="true">${icons.alert}</span>
      ${renderHeading(title)}
      <p class="lead">${interpolate(reason, { domain: domainOf(connection) })}</p>
      ${next === undefined ? nothing : html`<p>${next}</p>`}
    </div>
    ${code === "apply_partial" ? renderOutcomes(failure?.details ?? [], view) : nothing}
    ${renderButtonRow(
      canRetry ? renderPrimaryButton(words.tryAgain, view, actions.retry) : nothing,
      canEnter && provider?.domainConnect !== undefined
        ? renderSecondaryButton(interpolate(words.oauthButton, { provider: provider.name }), actions.startDomainConnect)
        : nothing,
      canEnter ? renderSecondaryButton(words.manualChoiceTitle, actions.chooseManual) : nothing,
      renderSecondaryButton(words.close, actions.close)
    )}
    ${code === undefined ? nothing : html`<p class="quiet centre">${interpolate(words.supportCode, { code })}</p>`}`
}

/** How each change of a plan stands that was not made completely. */
const renderOutcomes = (details: ReadonlyArray<FailureDetail>, { words }: ViewModel): TemplateResult =>
  html`<ul class="checks" part="checks">
    ${details.flatMap(({ host, message, type }) => {
      const outcome = message.replace(/^.*: /s, "")
      if (host === undefined || !Object.hasOwn(outcomes, outcome)) return []
      const [tone, key] = outcomes[outcome] ?? (["wait", "outcomeUnknown"] as const)
      return [
        html`<li>
          <span dir="ltr">${host} <small>${type}</small></span
          >${renderBadge(tone, words[key])}
        </li>`
      ]
    })}
  </ul>`

/** By the last words of the service's sentence about a change. */
const outcomes: { readonly [text: string]: readonly [Tone, "outcomeDone" | "outcomeNot" | "outcomeUnknown"] } = {
  made: ["good", "outcomeDone"],
  undone: ["wait", "outcomeNot"],
  "not made": ["wait", "outcomeNot"],
  "perhaps made": ["wait", "outcomeUnknown"],
  "made in vain and not undone": ["bad", "outcomeUnknown"]
}

const textsOf = ({ connection: { failure, state }, words }: ViewModel) => {
  if (state === "expired") return { title: words.expiredTitle, reason: words.expiredText, next: undefined }
  if (state === "canceled") return { title: words.canceledTitle, reason: words.canceledText, next: undefined }
  return { title: words.failureTitle, ...words.failures[failure?.code ?? "internal_error"] }
}

/** The step of a connection that was live: what is missing by now, and its repair. */
export const renderDegraded = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  return html`<div class="centre">
      <span class="sign bad" aria-hidden="true">${icons.alert}</span>
      ${renderHeading(words.degradedTitle)}
      <p class="lead">${interpolate(words.degradedText, { domain: domainOf(connection) })}</p>
    </div>
    ${renderMissingRecords(view)}
    ${renderButtonRow(
      isAllowed(connection, "retry") ? renderPrimaryButton(words.repair, view, actions.retry) : nothing,
      renderSecondaryButton(words.close, actions.close)
    )}`
}

/** The desired records that the name servers no longer answer. */
const renderMissingRecords = (view: ViewModel) => {
  const records = (view.observations?.records ?? []).filter(({ status }) => ["missing", "different"].includes(status))
  const { lost, statusLost } = view.words
  // A record that was served before is lost, not “not there yet”.
  return renderRecordChecks(lost, records, { ...view, words: { ...view.words, statusMissing: statusLost } })
}
