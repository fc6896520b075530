import { html, type TemplateResult } from "lit"

type TableCell = string | undefined | TemplateResult

/** A table of the operator page, which a narrow screen shows as a list. */
export const renderTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<TableCell>>) =>
  rows.length === 0
    ? html`<p>Nothing.</p>`
    : html`<table>
        <thead>
          <tr>
            ${head.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cells) =>
              html`<tr>
                ${cells.map(
                  (cell, nth) =>
                    html`<td data-label=${head[nth] ?? ""} ?data-empty=${cell === undefined}>${cell ?? ""}</td>`
                )}
              </tr>`
          )}
        </tbody>
      </table>`

export const formatTime = (moment: string): string => `${moment.slice(0, 19).replace("T", " ")} UTC`

export const renderTime = (moment: string) => html`<time datetime=${moment}>${formatTime(moment)}</time>`
