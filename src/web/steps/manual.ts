import { html, nothing, type TemplateResult } from "lit"
import {
  type ChangeDocument,
  type ChangeRecordDocument,
  isAllowed,
  isSameRecord,
  type ObservationsDocument,
  providerNameOf,
  relativeNameOf,
  toSafeWebUrl,
  zoneNameOf
} from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import {
  describePurpose,
  renderBadge,
  renderButtonRow,
  renderCopyableValue,
  renderExternalLink,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton,
  renderSupport
} from "../templates.ts"
import { renderNoticeList } from "./changes.ts"
import { renderNextCheck, renderStatusBadge } from "./progress.ts"

/** The step with instructions for each record to enter by hand; each is checked while the customer works. */
export const renderManual = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const provider = providerNameOf(connection)
  const address = toSafeWebUrl(connection.provider?.referenceUrl)
  const hasOtherMethod =
    isAllowed(connection, "authorization") &&
    connection.provider?.availableAuthorizationMethods.some((method) => method !== "manual") === true
  const intro = provider === undefined ? words.manualIntroUnknown : words.manualIntro
  return html`${renderHeading(words.manualTitle)}
    <p class="lead">${interpolate(intro, { zone: zoneNameOf(connection), provider: provider ?? "" })}</p>
    ${
      provider === undefined || address === undefined
        ? nothing
        : html`<p>${renderExternalLink(address, interpolate(words.manualOpen, { provider }), view)}</p>`
    }
    ${renderInstructions(view)} ${renderNextCheck(view)} ${renderDownload(view)} ${renderNoticeList(view)}
    ${renderSupport(view)}
    ${renderButtonRow(
      isAllowed(connection, "recheck") ? renderPrimaryButton(words.checkNow, view, actions.recheck) : nothing,
      hasOtherMethod
        ? renderSecondaryButton(words.otherWay, actions.chooseOtherMethod)
        : renderSecondaryButton(words.close, actions.close)
    )}`
}

/**
 * The changes of the plan, in the order in which they are safe to make. The addresses of a proxy are no entries of the
 * zone: they go with the record that is proxied, which the new one replaces.
 */
const renderInstructions = (view: ViewModel): TemplateResult => {
  const changes = view.connection.plan?.changes ?? []
  const proxied = new Set(changes.flatMap(({ before }) => (before?.proxied === true ? [before.host] : [])))
  return html`<ol class="records" part="records">
    ${changes.map((change, index) =>
      change.after === undefined && change.before?.proxied === true
        ? nothing
        : renderInstruction(change, { id: `${index}`, isProxied: proxied.has(change.after?.host ?? "") }, view)
    )}
  </ol>`
}

const renderInstruction = (
  change: ChangeDocument,
  { id, isProxied }: { readonly id: string; readonly isProxied: boolean },
  view: ViewModel
): TemplateResult => {
  const { words } = view
  const record = change.after ?? change.before
  if (record === undefined) return html``
  const titles = { create: words.manualAdd, update: words.manualChange, delete: words.manualRemove }
  return html`<li class="record ${change.action}" part="record record-${change.action}">
    <div class="top">
      <h3 id="record-${id}">${titles[change.action]} <small>${describePurpose(record, words)}</small></h3>
      ${change.after === undefined ? renderRemovalStatus(record, view) : renderRecordStatus(change.after, view)}
    </div>
    <dl>
      <dt>${words.type}</dt>
      <dd><code part="value">${record.type}</code></dd>
      ${renderCopyableValue(words.host, relativeNameOf(record), `${id}.host`, view)}
      <dd class="hint">${formatHostHint(record, view)}</dd>
      ${isProxied ? html`<dd class="hint">${words.manualProxied}</dd>` : nothing}
      ${
        change.before === undefined || change.after === undefined || isProxied
          ? nothing
          : html`<dt>${words.oldValue}</dt>
              <dd><code part="value">${change.before.value}</code></dd>`
      }
      ${renderCopyableValue(words.value, record.value, `${id}.value`, view)}
      ${
        record.priority === undefined
          ? nothing
          : renderCopyableValue(words.priority, String(record.priority), `${id}.priority`, view)
      }
      ${change.after === undefined ? nothing : renderCopyableValue(words.ttl, String(record.ttl), `${id}.ttl`, view)}
    </dl>
  </li>`
}

const formatHostHint = (record: ChangeRecordDocument, { words }: ViewModel): string =>
  interpolate(relativeNameOf(record) === "@" ? words.hostApexHint : words.hostHint, { name: record.name })

/** Whether the name servers answer with the record. */
const renderRecordStatus = (record: ChangeRecordDocument, view: ViewModel): TemplateResult =>
  renderStatusBadge(observationOf(record, view.observations)?.status ?? "unknown", view)

/** Whether the name servers no longer answer with a record that must be removed. */
const renderRemovalStatus = (record: ChangeRecordDocument, view: ViewModel): TemplateResult => {
  const { observations, words } = view
  if (observations?.toRemove === undefined) return renderStatusBadge("unknown", view)
  return observations.toRemove.some((present) => isSameRecord(present, record))
    ? renderBadge("wait", words.statusStillThere)
    : renderBadge("good", words.statusGone)
}

const observationOf = (record: ChangeRecordDocument, observations: ObservationsDocument | undefined) =>
  observations?.records.find(({ expected }) => isSameRecord(expected, record))

const renderDownload = ({ actions, connection, words }: ViewModel): TemplateResult | typeof nothing =>
  connection.plan?.changes.some(({ action }) => action === "create") === true
    ? html`<p class="quiet">
        ${words.zoneFileText}
        <button class="link" part="button button-link" type="button" @click=${actions.download}>
          ${words.zoneFile}
        </button>
      </p>`
    : nothing
