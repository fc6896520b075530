import { html, nothing, type TemplateResult } from "lit"
import {
  type ChangeDocument,
  fullName,
  nameInZone,
  type ObservationsDocument,
  providerName,
  type RecordDocument,
  safeWebUrl,
  zoneName
} from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import {
  badge,
  buttonRow,
  copyableValue,
  externalLink,
  heading,
  primaryButton,
  recordPurpose,
  secondaryButton
} from "../templates.ts"
import { noticeList } from "./changes.ts"
import { nextCheckText, statusBadge } from "./progress.ts"

/** The step with instructions for each record to enter by hand; each is checked while the customer works. */
export const manual = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const provider = providerName(connection)
  const address = safeWebUrl(connection.provider?.referenceUrl)
  const hasOtherMethod =
    connection.provider?.availableAuthorizationMethods.some((method) => method !== "manual") === true
  const intro = provider === undefined ? words.manualIntroUnknown : words.manualIntro
  return html`${heading(words.manualTitle)}
    <p class="lead">${interpolate(intro, { zone: zoneName(connection), provider: provider ?? "" })}</p>
    ${
      provider === undefined || address === undefined
        ? nothing
        : html`<p>${externalLink(address, interpolate(words.manualOpen, { provider }), view)}</p>`
    }
    ${instructions(view)} ${nextCheckText(view)} ${download(view)} ${noticeList(view)}
    ${buttonRow(
      primaryButton(words.checkNow, view, actions.recheck),
      hasOtherMethod
        ? secondaryButton(words.otherWay, actions.chooseOtherMethod)
        : secondaryButton(words.close, actions.close)
    )}`
}

/** The changes of the plan, in the order in which they are safe to make. */
export const instructions = (view: ViewModel): TemplateResult =>
  html`<ol class="records" part="records">
    ${(view.connection.plan?.changes ?? []).map((change, index) => instruction(change, `${index}`, view))}
  </ol>`

const instruction = (change: ChangeDocument, id: string, view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const record = change.after ?? change.before
  if (record === undefined) return html``
  const titles = { create: words.manualAdd, update: words.manualChange, delete: words.manualRemove }
  return html`<li class="record ${change.action}" part="record record-${change.action}">
    <div class="top">
      <h3 id="record-${id}">${titles[change.action]} <small>${recordPurpose(record, words)}</small></h3>
      ${change.after === undefined ? removalStatus(record, view) : recordStatus(change.after, view)}
    </div>
    <dl>
      <dt>${words.type}</dt>
      <dd><code part="value">${record.type}</code></dd>
      ${copyableValue(words.host, nameInZone(record.host, connection), `${id}.host`, view)}
      <dd class="hint">${hostHint(record, view)}</dd>
      ${
        change.before === undefined || change.after === undefined
          ? nothing
          : html`<dt>${words.oldValue}</dt>
              <dd><code part="value">${change.before.value}</code></dd>`
      }
      ${copyableValue(words.value, record.value, `${id}.value`, view)}
      ${
        record.priority === undefined
          ? nothing
          : copyableValue(words.priority, String(record.priority), `${id}.priority`, view)
      }
      ${change.after === undefined ? nothing : copyableValue(words.ttl, String(record.ttl), `${id}.ttl`, view)}
    </dl>
  </li>`
}

const hostHint = ({ host }: RecordDocument, { connection, words }: ViewModel): string =>
  interpolate(nameInZone(host, connection) === "@" ? words.hostApexHint : words.hostHint, {
    name: fullName(host, connection)
  })

/** Whether the name servers answer with the record. */
const recordStatus = (record: RecordDocument, view: ViewModel): TemplateResult =>
  statusBadge(observationOf(record, view.observations)?.status ?? "unknown", view)

/** Whether the name servers no longer answer with a record that must be removed. */
const removalStatus = (record: RecordDocument, view: ViewModel): TemplateResult => {
  const { observations, words } = view
  if (observations?.toRemove === undefined) return statusBadge("unknown", view)
  return observations.toRemove.some((present) => isSameRecord(present, record))
    ? badge("wait", words.statusStillThere)
    : badge("good", words.statusGone)
}

const observationOf = (record: RecordDocument, observations: ObservationsDocument | undefined) =>
  observations?.records.find(({ expected }) => isSameRecord(expected, record))

const isSameRecord = (one: RecordDocument, { host, type, value }: RecordDocument): boolean =>
  one.host === host && one.type === type && one.value === value

const download = ({ actions, connection, words }: ViewModel): TemplateResult | typeof nothing =>
  connection.plan?.changes.some(({ action }) => action === "create") === true
    ? html`<p class="quiet">
        ${words.zoneFileText}
        <button class="link" part="button button-link" type="button" @click=${actions.download}>
          ${words.zoneFile}
        </button>
      </p>`
    : nothing
