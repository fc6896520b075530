import { html, nothing, type TemplateResult } from "lit"
import type { Warning } from "../../domain/plan/Warning.ts"
import { type ChangeDocument, isSameRecord, type WarningDetailDocument, warningsOf } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import {
  describePurpose,
  formatRecordValue,
  icons,
  renderBadge,
  renderButtonRow,
  renderCollapsibleValue,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton
} from "../templates.ts"

/** The step that shows each change, before and after, and the warnings to confirm before the customer agrees. */
export const renderChanges = (view: ViewModel): TemplateResult => {
  const { acknowledged, actions, connection, words } = view
  const { changes = [] } = connection.plan ?? {}
  const blocking = warningsOf(connection).filter(({ requiresAcknowledgement }) => requiresAcknowledgement)
  const isPlanned = connection.state === "planned"
  return html`<form
    @submit=${(event: Event) => {
      event.preventDefault()
      actions.approve()
    }}
  >
    ${renderHeading(titleOf(view))}
    <p class="lead">${introOf(view)}</p>
    ${changes.length === 0 ? nothing : renderTable(changes, view)}
    ${blocking.length === 0 ? nothing : renderConfirmation(blocking, acknowledged, view)} ${renderNoticeList(view)}
    ${renderButtonRow(renderPrimaryButton(isPlanned ? words.approve : words.goOn, view), renderSecondaryButton(words.notNow, actions.close))}
  </form>`
}

const titleOf = ({ connection, words }: ViewModel): string =>
  connection.state === "planned" && connection.direction !== "restore"
    ? words.changesAgainTitle
    : interpolate(connection.direction === "restore" ? words.restoreTitle : words.changesTitle, {
        domain: connection.intent.domain
      })

const introOf = ({ connection, words }: ViewModel): string => {
  if (connection.direction === "restore") return words.restoreIntro
  if (connection.plan?.changes.length === 0) return words.changesNone
  return connection.plan?.warnings.includes("provider_zone_differs_from_public_dns") === true
    ? words.changesAgainIntro
    : words.changesIntro
}

/** A table with explicit ARIA roles, because on a phone it is laid out as blocks. */
const renderTable = (changes: ReadonlyArray<ChangeDocument>, view: ViewModel): TemplateResult => {
  const { connection, words } = view
  return html`<table role="table" part="table">
    <caption class="unseen">
      ${interpolate(words.tableCaption, { domain: connection.intent.domain })}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${words.what}</th>
        <th role="columnheader" scope="col">${words.today}</th>
        <th role="columnheader" scope="col">${words.afterwards}</th>
      </tr>
    </thead>
    ${groupByName(changes).map(
      ([name, changesOfName]) =>
        html`<tbody role="rowgroup">
          <tr class="name" role="row">
            <th role="rowheader" scope="rowgroup" colspan="3">${name}</th>
          </tr>
          ${changesOfName.map((change) => renderRow(change, view))}
        </tbody>`
    )}
  </table>`
}

const groupByName = (changes: ReadonlyArray<ChangeDocument>) => [
  ...Map.groupBy(changes, ({ after, before }) => (after ?? before)?.name ?? "")
]

const renderRow = (change: ChangeDocument, view: ViewModel): TemplateResult => {
  const { words } = view
  const { after, before } = change
  const record = after ?? before
  return html`<tr role="row" class=${change.action} part="row row-${change.action}">
    <th role="rowheader" scope="row">
      ${record === undefined ? nothing : describePurpose(record, words)} <small>${record?.type}</small>
      ${renderActionBadge(change, view)}
    </th>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.today}</span>
      ${before === undefined ? html`<em>${words.nothing}</em>` : html`${renderCell(change, before, view)}`}
    </td>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.afterwards}</span>
      ${after === undefined ? html`<em>${words.taken}</em>` : renderCell(change, after, view)}
    </td>
  </tr>`
}

const renderActionBadge = ({ action }: ChangeDocument, { words }: ViewModel): TemplateResult =>
  ({
    create: renderBadge("good", words.added, icons.added),
    update: renderBadge("wait", words.changed, icons.changed),
    delete: renderBadge("bad", words.removed)
  })[action]

/** A cell with the value, and the TTL if it is all that changes. */
const renderCell = (
  { after, before }: ChangeDocument,
  record: NonNullable<ChangeDocument["after"]>,
  view: ViewModel
) => {
  const isTtlChange =
    before !== undefined &&
    after !== undefined &&
    formatRecordValue(before, view.words) === formatRecordValue(after, view.words)
  return html`${renderCollapsibleValue(formatRecordValue(record, view.words), view)}${isTtlChange ? html` <small>TTL ${record.ttl}</small>` : nothing}`
}

const renderConfirmation = (
  blocking: ReadonlyArray<WarningDetailDocument>,
  acknowledged: ReadonlySet<Warning>,
  view: ViewModel
): TemplateResult => {
  const { actions, words } = view
  return html`<fieldset class="notice blocking" part="warnings">
    <legend>${icons.alert}${words.graveTitle}</legend>
    <p>${words.graveIntro}</p>
    ${blocking.map(
      (warning) =>
        html`<label class="check">
          <input
            type="checkbox"
            name=${warning.code}
            required
            .checked=${acknowledged.has(warning.code)}
            @change=${({ target }: Event) =>
              actions.acknowledge(warning.code, target instanceof HTMLInputElement && target.checked)}
          />
          <span>${renderWarning(warning, view)} <strong>${words.iKnow}</strong></span>
        </label>`
    )}
  </fieldset>`
}

/**
 * A warning in the words of the customer, after the names that it is about, and what the service found out about it, which
 * it says in English.
 */
const renderWarning = (
  { changes, code, findings = [], message }: WarningDetailDocument,
  { connection, words }: ViewModel
) => {
  const text = words.warnings[code]
  const names = groupByName(changes.flatMap((index) => connection.plan?.changes[index] ?? [])).map(([name]) => name)
  const more = names.length > maxNames ? ", …" : ""
  return html`${names.length === 0 ? nothing : html`<b>${names.slice(0, maxNames).join(", ")}${more}</b>: `}${text ?? message}
  ${text === undefined ? nothing : findings.map((each) => html`<em lang="en">${each}</em> `)}`
}

/** How many names a warning shows at most; the table has the others. */
const maxNames = 10

/**
 * The warnings that need no confirmation, the records that were left out, and the leftovers; after a disconnection, the
 * changes that restored the zone instead of the warnings.
 */
export const renderNoticeList = (view: ViewModel): TemplateResult | typeof nothing => {
  const { connection, words } = view
  const hasRestored = connection.state === "disconnected"
  const warnings = warningsOf(connection).filter(
    ({ code, requiresAcknowledgement }) =>
      !hasRestored &&
      words.warnings[code] !== "" &&
      (["awaiting_manual", "disconnecting"].includes(connection.state) || !requiresAcknowledgement)
  )
  const failures = connection.optionalFailureDetails
  const leftovers = connection.leftovers ?? []
  const restored = hasRestored ? (connection.plan?.changes ?? []) : []
  if (warnings.length + failures.length + leftovers.length + restored.length === 0) return nothing
  return html`<section class="notice" part="notes" aria-labelledby="notes">
    <h3 id="notes">${words.goodToKnow}</h3>
    <ul>
      ${warnings.map((warning) => html`<li>${renderWarning(warning, view)}</li>`)}
      ${failures.map(({ name, type }) => html`<li>${words.leftOut}: ${name} ${type}</li>`)}
      ${restored.map((change) => renderRestored(change, view))}
      ${leftovers.map(({ record: { name, type } }) => html`<li>${words.leftovers}: ${name} ${type}</li>`)}
    </ul>
  </section>`
}

/** A change that was made, unless its record is left over. */
const renderRestored = (change: ChangeDocument, view: ViewModel): TemplateResult | typeof nothing => {
  const record = change.after ?? change.before
  const { leftovers = [] } = view.connection
  return record === undefined || leftovers.some((leftover) => isSameRecord(leftover.record, record))
    ? nothing
    : html`<li>${renderActionBadge(change, view)} ${record.name} ${record.type}</li>`
}
