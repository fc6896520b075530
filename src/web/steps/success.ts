import { html, nothing, type TemplateResult } from "lit"
import { domainOf, isSameRecord, isWebRecord, websiteOf } from "../ConnectionDocument.ts"
import {
  icons,
  renderButtonRow,
  renderExternalLink,
  renderHeading,
  renderPrimaryButton,
  renderRecordList
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { renderLeftOut, renderOutcome } from "./outcome.ts"
import { mailResultOf, providersOf, websiteResultOf } from "./sentences.ts"

/** The final step: what has become of website and mail, that it is watched from now on, and how to undo it. */
export const renderLive = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const website = websiteOf(connection)
  const alsoRemoved = listAlsoRemoved(view)
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${renderHeading(interpolate(words.successTitle, { domain: domainOf(connection) }))}
      ${website === undefined ? nothing : html`<p class="visit">${renderExternalLink(`https://${website}`, website, view)}</p>`}
      ${connection.optionalFailureDetails.length === 0 ? html`<p class="lead">${words.successText}</p>` : renderLeftOut(view)}
    </div>
    ${renderResults(view, websiteResultOf(view))}
    ${renderRecordList(interpolate(words.providerAlsoRemoved, { provider: providersOf(view) ?? "" }), alsoRemoved, view)}
    <p class="quiet centre">${connection.plan?.basis === "public_dns" ? words.undoByHand : words.undo}</p>
    ${renderOutcome(view)} ${renderButtonRow(renderPrimaryButton(words.done, view, actions.close))}`
}

/** What everybody asks at the end, as the review has said it before. */
const renderResults = (view: ViewModel, website: string): TemplateResult | typeof nothing => {
  const { topics } = view.words
  const results = [[topics.website, website] as const, [topics.mail, mailResultOf(view)] as const].filter(
    ([, text]) => text !== ""
  )
  return results.length === 0
    ? nothing
    : html`<ul class="tiles" part="tiles">
        ${results.map(
          ([topic, text]) =>
            html`<li class="tile" part="tile">
              <h3>${topic}</h3>
              <p>${text}</p>
            </li>`
        )}
      </ul>`
}

/** The records that a provider of Domain Connect has removed beside those that it was to remove. */
const listAlsoRemoved = ({ connection }: ViewModel) => connection.provider?.domainConnect?.alsoRemoved ?? []

/** The last step of a disconnection: whether the old website answers again, and what stays as it is. */
export const renderDisconnected = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${renderHeading(interpolate(words.disconnectedTitle, { domain: domainOf(connection) }))}
      <p class="lead">${outcomeOf(view)}</p>
    </div>
    ${renderResults(view, "")} ${renderOutcome(view)}
    ${renderButtonRow(renderPrimaryButton(words.done, view, actions.close))}`
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
