import { html, nothing, type TemplateResult } from "lit"
import { type ChangeDocument, domainOf, nameOf } from "../ConnectionDocument.ts"
import { compareSenders } from "../reviewTiles.ts"
import { describePurpose, formatRecordValue, icons, renderBadge, renderCollapsibleValue } from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"

/** Each change, before and after: a table with explicit ARIA roles, because on a phone it is laid out as blocks. */
export const renderChangeTable = (changes: ReadonlyArray<ChangeDocument>, view: ViewModel): TemplateResult => {
  const { connection, words } = view
  return html`<table role="table" part="table">
    <caption class="unseen">
      ${interpolate(words.tableCaption, { domain: domainOf(connection) })}
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
            <th role="rowheader" scope="rowgroup" colspan="3"><bdi dir="ltr">${name}</bdi></th>
          </tr>
          ${changesOfName.map((change) => renderRow(change, view))}
        </tbody>`
    )}
  </table>`
}

const groupByName = (changes: ReadonlyArray<ChangeDocument>) => [
  ...Map.groupBy(changes, ({ after, before }) => {
    const record = after ?? before
    return record === undefined ? "" : nameOf(record)
  })
]

const renderRow = (change: ChangeDocument, view: ViewModel): TemplateResult => {
  const { words } = view
  const { after, before } = change
  const record = after ?? before
  const senders = compareSenders(change)
  return html`<tr role="row" class=${change.action} part="row row-${change.action}">
    <th role="rowheader" scope="row">
      ${record === undefined ? nothing : describePurpose(record, words)} <small>${record?.type}</small>
      ${renderActionBadge(change, view)}
    </th>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.today}</span>
      ${before === undefined ? html`<em>${words.nothing}</em>` : renderCell(change, before, view)}
    </td>
    <td role="cell">
      <span class="label" aria-hidden="true">${words.afterwards}</span>
      <span>
        ${senders === undefined ? nothing : html`<b dir="ltr">${senders}</b><br />`}
        ${after === undefined ? html`<em>${words.taken}</em>` : renderCell(change, after, view)}
      </span>
    </td>
  </tr>`
}

const renderActionBadge = ({ action }: ChangeDocument, { words }: ViewModel): TemplateResult =>
  ({
    create: renderBadge("good", words.added, icons.added),
    update: renderBadge("wait", words.changed, icons.changed),
    delete: renderBadge("plain", words.removed)
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
