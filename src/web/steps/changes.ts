import { html, nothing, type TemplateResult } from "lit"
import type { Warning } from "../../domain/Plan.ts"
import { blockingWarnings } from "../../domain/blockingWarnings.ts"
import { type ChangeDocument, type ConnectionDocument, fullName } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import {
  badge,
  buttonRow,
  collapsibleValue,
  heading,
  icons,
  primaryButton,
  recordPurpose,
  recordValueText,
  secondaryButton
} from "../templates.ts"

/** The step that shows each change, before and after, and the warnings to confirm before the customer agrees. */
export const changes = (view: ViewModel): TemplateResult => {
  const { acknowledged, actions, connection, words } = view
  const { changes = [], warnings = [] } = connection.plan ?? {}
  const blocking = warnings.filter((warning) => blockingWarnings.has(warning))
  const isPlanned = connection.state === "planned"
  return html`<form
    @submit=${(event: Event) => {
      event.preventDefault()
      actions.approve()
    }}
  >
    ${heading(titleOf(view))}
    <p class="lead">${introOf(view)}</p>
    ${changes.length === 0 ? nothing : table(changes, view)}
    ${blocking.length === 0 ? nothing : confirmation(blocking, acknowledged, view)} ${noticeList(view)}
    ${buttonRow(primaryButton(isPlanned ? words.approve : words.goOn, view), secondaryButton(words.notNow, actions.close))}
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
const table = (changes: ReadonlyArray<ChangeDocument>, view: ViewModel): TemplateResult => {
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
    ${byName(changes, connection).map(
      ([name, changesOfName]) =>
        html`<tbody role="rowgroup">
          <tr class="name" role="row">
            <th role="rowheader" scope="rowgroup" colspan="3">${name}</th>
          </tr>
          ${changesOfName.map((change) => row(change, view))}
        </tbody>`
    )}
  </table>`
}

const byName = (changes: ReadonlyArray<ChangeDocument>, connection: ConnectionDocument) => [
  ...Map.groupBy(changes, ({ after, before }) => fullName((after ?? before)?.host ?? "@", connection))
]

const row = (change: ChangeDocument, view: ViewModel): TemplateResult => {
  const { words } = view
  const { after, before } = change
  const record = after ?? before
  return html`<tr role="row" class=${change.action} part="row row-${change.action}">
    <th role="rowheader" scope="row">
      ${record === undefined ? nothing : recordPurpose(record, words)} <small>${record?.type}</small>
      ${actionBadge(change, view)}
    </th>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.today}</span>
      ${before === undefined ? html`<em>${words.nothing}</em>` : html`${cell(change, before, view)}`}
    </td>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.afterwards}</span>
      ${after === undefined ? html`<em>${words.taken}</em>` : cell(change, after, view)}
    </td>
  </tr>`
}

const actionBadge = ({ action }: ChangeDocument, { words }: ViewModel): TemplateResult =>
  ({
    create: badge("good", words.added, icons.added),
    update: badge("wait", words.changed, icons.changed),
    delete: badge("bad", words.removed)
  })[action]

/** A cell with the value, and the TTL if it is all that changes. */
const cell = ({ after, before }: ChangeDocument, record: NonNullable<ChangeDocument["after"]>, view: ViewModel) => {
  const isTtlChange =
    before !== undefined &&
    after !== undefined &&
    recordValueText(before, view.words) === recordValueText(after, view.words)
  return html`${collapsibleValue(recordValueText(record, view.words), view)}${isTtlChange ? html` <small>TTL ${record.ttl}</small>` : nothing}`
}

const confirmation = (
  blocking: ReadonlyArray<Warning>,
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
            name=${warning}
            required
            .checked=${acknowledged.has(warning)}
            @change=${({ target }: Event) =>
              actions.acknowledge(warning, target instanceof HTMLInputElement && target.checked)}
          />
          <span>${words.warnings[warning]} <strong>${words.iKnow}</strong></span>
        </label>`
    )}
  </fieldset>`
}

/** The warnings that need no confirmation, the records that were left out, and the leftovers. */
export const noticeList = (view: ViewModel): TemplateResult | typeof nothing => {
  const { connection, words } = view
  const warnings = (connection.plan?.warnings ?? []).filter(
    (warning) => connection.state === "awaiting_manual" || !blockingWarnings.has(warning)
  )
  const failures = connection.optionalFailures.map((failure) => failure.split(" "))
  const leftovers = connection.leftovers ?? []
  if (warnings.length + failures.length + leftovers.length === 0) return nothing
  return html`<section class="notice" part="notes" aria-labelledby="notes">
    <h3 id="notes">${words.goodToKnow}</h3>
    <ul>
      ${warnings.map((warning) => html`<li>${words.warnings[warning]}</li>`)}
      ${failures.map(([type, host = "@"]) => html`<li>${words.leftOut}: ${fullName(host, connection)} ${type}</li>`)}
      ${leftovers.map(
        ({ record }) => html`<li>${words.leftovers}: ${fullName(record.host, connection)} ${record.type}</li>`
      )}
    </ul>
  </section>`
}
