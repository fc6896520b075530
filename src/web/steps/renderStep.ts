import { html, nothing, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { isAllowed } from "../ConnectionDocument.ts"
import type { Step } from "../stepOf.ts"
import {
  icons,
  renderButtonRow,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton,
  renderSupport
} from "../templates.ts"
import { renderAccess } from "./access.ts"
import { renderChanges, renderNoticeList } from "./changes.ts"
import { renderManual } from "./manual.ts"
import { renderProgress, renderRecordChecks } from "./progress.ts"

/** Renders the step that the customer sees. */
export const renderStep = (step: Step, view: ViewModel): TemplateResult => steps[step](view)

/**
 * The step for a customer who is at the provider, or is back before the end: to go there again or choose another
 * method.
 */
const renderOAuthPending = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const values = { provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${renderHeading(interpolate(words.visitTitle, values))}
      <p class="lead">${interpolate(words.visitText, values)}</p>
    </div>
    ${renderButtonRow(
      renderPrimaryButton(interpolate(words.oauthButton, values), view, actions.startOAuth),
      renderSecondaryButton(words.visitOtherWay, actions.chooseOtherMethod)
    )}`
}

/** The final step: connected, or disconnected. */
const renderSuccess = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const isDisconnected = connection.state === "disconnected"
  const { domain } = connection.intent
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${renderHeading(interpolate(isDisconnected ? words.disconnectedTitle : words.successTitle, { domain }))}
      ${isDisconnected ? nothing : html`<p class="lead">${words.successText}</p>`}
    </div>
    ${isDisconnected ? renderNoticeList(view) : nothing}
    ${renderButtonRow(renderPrimaryButton(words.done, view, actions.close))}`
}

/** The step that says what went wrong, why, and what to do about it. */
const renderFailure = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const { domain } = connection.intent
  const { next, reason, title } = textsOf(view)
  const code = connection.state === "failed" ? connection.failure?.code : undefined
  const remedy = remedyOf(view)
  return html`<div class="centre">
      <span class="sign bad" aria-hidden="true">${icons.alert}</span>
      ${renderHeading(title)}
      <p class="lead">${interpolate(reason, { domain })}</p>
      ${next === undefined ? nothing : html`<p>${next}</p>`}
    </div>
    ${connection.state === "degraded" ? renderMissingRecords(view) : nothing}
    ${renderButtonRow(
      remedy === undefined ? nothing : renderPrimaryButton(remedy, view, actions.retry),
      renderSecondaryButton(words.close, actions.close)
    )}
    <div class="centre">
      ${renderSupport(view)}
      ${code === undefined ? nothing : html`<p class="quiet">${interpolate(words.supportCode, { code })}</p>`}
    </div>`
}

/** The desired records that the name servers no longer answer. */
const renderMissingRecords = (view: ViewModel) => {
  const records = (view.observations?.records ?? []).filter(({ status }) => ["missing", "different"].includes(status))
  const { lost, statusLost } = view.words
  // A record that was served before is lost, not “not there yet”.
  return renderRecordChecks(lost, records, { ...view, words: { ...view.words, statusMissing: statusLost } })
}

const textsOf = ({ connection: { failure, state }, words }: ViewModel) => {
  if (state === "degraded") return { title: words.degradedTitle, reason: words.degradedText, next: undefined }
  if (state === "expired") return { title: words.expiredTitle, reason: words.expiredText, next: undefined }
  if (state === "canceled") return { title: words.canceledTitle, reason: words.canceledText, next: undefined }
  return { title: words.failureTitle, ...words.failures[failure?.code ?? "internal_error"] }
}

const remedyOf = ({ connection, words }: ViewModel): string | undefined => {
  const { failure, state } = connection
  if (!isAllowed(connection, "retry")) return undefined
  if (state === "degraded") return words.repair
  return state === "failed" && failure?.retryable === true ? words.tryAgain : undefined
}

const steps: { readonly [_ in Step]: (view: ViewModel) => TemplateResult } = {
  changes: renderChanges,
  access: renderAccess,
  oauthPending: renderOAuthPending,
  manual: renderManual,
  progress: renderProgress,
  success: renderSuccess,
  failure: renderFailure
}
