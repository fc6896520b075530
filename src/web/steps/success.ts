import { html, nothing, type TemplateResult } from "lit"
import { addressOf, domainOf, isSameRecord, isWebRecord, providerNameOf, warningsOf } from "../ConnectionDocument.ts"
import {
  icons,
  renderButtonRow,
  renderExternalLink,
  renderHeading,
  renderPrimaryButton,
  renderRecordList
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { renderOutcome } from "./review.ts"

/** The final step: the address to visit, what changed, how to undo it, and that it is watched from now on. */
export const renderLive = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const address = addressOf(connection)
  const alsoRemoved = listAlsoRemoved(view)
  const hasWebsite = connection.effectiveIntent.records.some(isWebRecord)
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${renderHeading(interpolate(words.successTitle, { domain: domainOf(connection) }))}
      ${hasWebsite ? html`<p class="visit">${renderExternalLink(`https://${address}`, address, view)}</p>` : nothing}
      <p class="lead">${words.successText}</p>
      ${isMailUntouched(view) ? html`<p class="lead">${words.mailAsBefore}</p>` : nothing}
    </div>
    ${renderRecordList(interpolate(words.providerAlsoRemoved, { provider: providerNameOf(connection) ?? "" }), alsoRemoved, view)}
    <p class="quiet centre">${words.undo}</p>
    ${renderOutcome(view)} ${renderButtonRow(renderPrimaryButton(words.done, view, actions.close))}`
}

/** The records that a provider of Domain Connect has removed beside those that it was to remove. */
const listAlsoRemoved = ({ connection }: ViewModel) => connection.provider?.domainConnect?.alsoRemoved ?? []

/** Whether no change, no loss and no warning speaks of another place for mail. */
const isMailUntouched = (view: ViewModel): boolean =>
  isMailUnplanned(view) && listAlsoRemoved(view).every(({ type }) => type !== "MX")

const isMailUnplanned = ({ connection }: ViewModel): boolean =>
  connection.plan !== undefined &&
  connection.plan.changes.every(({ after, before }) => after?.type !== "MX" && before?.type !== "MX") &&
  !warningsOf(connection).some(({ code }) => /^(mail|mx|null_mx)_/.test(code))

/** The last step of a disconnection: whether the old website answers again, and what stays as it is. */
export const renderDisconnected = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${renderHeading(interpolate(words.disconnectedTitle, { domain: domainOf(connection) }))}
      <p class="lead">${outcomeOf(view)}</p>
    </div>
    ${renderOutcome(view)} ${renderButtonRow(renderPrimaryButton(words.done, view, actions.close))}`
}

/** Said only where it is true: a website that was there before stands in the zone again. */
const outcomeOf = ({ connection, words }: ViewModel): string => {
  const { leftovers = [], plan } = connection
  const isLeft = (record: { readonly host: string; readonly type: string; readonly value: string }) =>
    leftovers.some((leftover) => isSameRecord(leftover.record, record))
  const web = (plan?.changes ?? []).filter((change) => {
    const record = change.after ?? change.before
    return record !== undefined && isWebRecord(record)
  })
  const restored = web.some(({ after, before }) => after !== undefined && !isLeft(after) && !(before && isLeft(before)))
  if (restored && !leftovers.some(({ record }) => isWebRecord(record))) return words.oldWebsiteBack
  return leftovers.length > 0 ? words.disconnectedPartly : words.disconnectedText
}
