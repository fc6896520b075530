import { html, nothing, type TemplateResult } from "lit"
import { nameOf, wantedOf } from "../ConnectionDocument.ts"
import { describePurpose } from "../templates.ts"
import type { ViewModel } from "../ViewModel.ts"
import { listMade } from "./sentences.ts"

/** The optional records that the plan left out. */
export const renderLeftOut = ({ connection, words }: ViewModel) =>
  wantedOf(connection).optionalFailureDetails.map(
    (failure) => html`<p class="quiet">${words.leftOut}: ${nameOf(failure)} ${failure.type}</p>`
  )

/**
 * What has become of each entry after a disconnection: the changes that were made, and what stays, each with its reason.
 */
export const renderOutcome = ({ connection, words }: ViewModel): TemplateResult | typeof nothing => {
  const { leftovers = [] } = connection
  const made = listMade(connection)
  if (made.length + leftovers.length === 0) return nothing
  const actions = {
    create: connection.direction === "restore" ? words.putBack : words.added,
    update: words.changed,
    delete: words.removed
  }
  return html`<details class="fold" part="notes" ?open=${leftovers.length > 0}>
    <summary>${words.whatChanged}</summary>
    <ul class="checks">
      ${made.map(({ action, after, before }) => {
        const record = after ?? before
        return (
          record &&
          html`<li>
            <span
              >${actions[action]}: <bdi dir="ltr">${nameOf(record)}</bdi>
              <small>${describePurpose(record, words)} ${record.type}</small></span
            >
          </li>`
        )
      })}
      ${renderLeftovers({ connection, words })}
    </ul>
  </details>`
}

/** What stays after a disconnection, each with its reason. */
export const renderLeftovers = ({ connection: { leftovers = [] }, words }: Pick<ViewModel, "connection" | "words">) =>
  leftovers.map(
    ({ reason, record }) =>
      html`<li>
        <span
          >${words.leftovers}: <bdi dir="ltr">${nameOf(record)}</bdi>
          <small>${record.type} ${words.leftoverReasons[reason]}</small></span
        >
      </li>`
  )
