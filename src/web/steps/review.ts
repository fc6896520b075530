import { html, nothing, type TemplateResult } from "lit"
import { domainOf, listStanding, nameOf, type WarningDetailDocument, warningsOf } from "../ConnectionDocument.ts"
import { isMailQuestion, listTiles, type Tile } from "../reviewTiles.ts"
import {
  describePurpose,
  formatNames,
  icons,
  renderBadge,
  renderButtonRow,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { renderChangeTable } from "./changeTable.ts"
import { renderLeftOut, renderLeftovers } from "./outcome.ts"
import { introOf, namesOf, newsOf, sentenceOf } from "./sentences.ts"

/** The step that says what happens to website, mail and the rest, and asks for each thing that may stop to work. */
export const renderReview = (view: ViewModel): TemplateResult => {
  const { actions, connection, isIncomplete, words } = view
  const { changes = [] } = connection.plan ?? {}
  const tiles = listTiles(connection)
  return html`<form
    novalidate
    @submit=${(event: Event) => {
      event.preventDefault()
      if (isComplete(view)) return actions.approve()
      actions.markIncomplete()
    }}
  >
    ${renderHeading(titleOf(view))}
    <p class="lead">${introOf(view)}</p>
    <ul class="tiles" part="tiles">
      ${tiles.map((tile) => renderTile(tile, view))}
    </ul>
    ${renderLeftOut(view)}
    ${
      connection.direction === "restore" && (connection.leftovers ?? []).length > 0
        ? html`<ul class="checks">
            ${renderLeftovers(view)}
          </ul>`
        : nothing
    }
    ${
      changes.length === 0
        ? nothing
        : html`<details class="fold" part="details">
            <summary>${words.technicalDetails}</summary>
            ${renderChangeTable(changes, view)} ${renderAlreadyThere(view)}
            ${tiles.flatMap(({ warnings }) =>
              warnings
                .filter(({ code }) => impliedWarnings.has(code))
                .map((warning) => html`<p class="told">${renderWarning(warning, view)}</p>`)
            )}
          </details>`
    }
    ${isIncomplete && !isComplete(view) ? html`<p class="wrong" role="alert">${icons.alert}${words.tickMissing}</p>` : nothing}
    ${renderButtonRow(
      renderPrimaryButton(connection.state === "planned" ? words.approve : words.goOn, view),
      renderSecondaryButton(words.notNow, actions.close)
    )}
  </form>`
}

/** The desired records that the zone has already, so that nobody wonders where they are. */
const renderAlreadyThere = ({ connection, words }: ViewModel): TemplateResult | typeof nothing => {
  if (connection.direction === "restore") return nothing
  const present = listStanding(connection)
  return present.length === 0
    ? nothing
    : html`<p class="quiet" part="already-there">${words.alreadyThere}</p>
        <ul class="checks" part="checks">
          ${present.map(
            (record) =>
              html`<li>
                <span
                  ><bdi dir="ltr">${nameOf(record)}</bdi>
                  <small>${describePurpose(record, words)} ${record.type}</small></span
                >
                ${renderBadge("good", words.statusPresent)}
              </li>`
          )}
        </ul>`
}

/** What the sentence of a tile, or its box, says already; the technical details have the rest of it. */
const impliedWarnings: ReadonlySet<string> = new Set([
  "website_replaced",
  "address_records_replaced",
  "cname_replaces_records",
  "spf_record_merged"
])

/** Whether the customer has answered and confirmed everything that has to be. */
const isComplete = ({ connection, consent }: ViewModel): boolean =>
  warningsOf(connection).every(
    ({ code, requiresAcknowledgement }) => !requiresAcknowledgement || consent.acknowledged.has(code)
  )

const titleOf = ({ connection, words }: ViewModel): string =>
  connection.state === "planned" && connection.direction !== "restore"
    ? words.changesAgainTitle
    : interpolate(connection.direction === "restore" ? words.restoreTitle : words.changesTitle, {
        domain: domainOf(connection)
      })

const renderTile = (tile: Tile, view: ViewModel): TemplateResult => {
  const { topic, warnings } = tile
  const { words } = view
  const blocking = warnings.filter(({ requiresAcknowledgement }) => requiresAcknowledgement)
  const told = warnings.filter(
    ({ code, requiresAcknowledgement }) =>
      !requiresAcknowledgement && words.warnings[code] !== "" && !impliedWarnings.has(code)
  )
  const sentence = sentenceOf(tile, view)
  return html`<li class="tile" part="tile tile-${topic}">
    <h3>${words.topics[topic]}</h3>
    ${sentence === "" ? nothing : html`<p>${sentence}</p>`}
    ${newsOf(tile, view).map((text) => html`<p class="since">${renderBadge("wait", text)}</p>`)}
    ${told.map((warning) => html`<p class="told">${renderWarning(warning, view)}</p>`)}
    ${blocking.map((warning) =>
      isMailQuestion(warning, view.connection) ? renderMailQuestion(warning, view) : renderDeed(warning, view)
    )}
  </li>`
}

/** The names and the sentence of a warning, and what the service found out about it, which it says in English. */
const renderWarning = ({ changes, code, findings = [], message }: WarningDetailDocument, view: ViewModel) => {
  const { connection, words } = view
  const text = words.warnings[code]
  const names = listShownNames(changes, connection)
  return html`${names.length === 0 ? nothing : html`<b>${names.join(", ")}</b>: `}${text ?? message}
  ${text === undefined ? nothing : findings.map((each) => html`<em lang="en">${each}</em> `)}`
}

/** The names of some changes of the plan; where there are many, `…` stands for those that only the details have. */
const listShownNames = (changes: ReadonlyArray<number>, { plan }: ViewModel["connection"]): ReadonlyArray<string> => {
  const names = [...namesOf(changes.flatMap((index) => plan?.changes[index] ?? []))]
  return names.length > maxNames ? [...names.slice(0, maxNames), "…"] : names
}

const maxNames = 10

/** A box that names the deed: what the customer wants although something stops by it. */
const renderDeed = (warning: WarningDetailDocument, view: ViewModel): TemplateResult => {
  const { actions, connection, consent, isIncomplete, platform, words } = view
  const { changes, code } = warning
  const isMissing = isIncomplete && !consent.acknowledged.has(code)
  const names = formatNames(listShownNames(changes, connection), view)
  const deeds: { readonly [code: string]: string } = words.deeds
  const isMail = isMailQuestion(warning, connection)
  const isMailBack = isMail && connection.direction === "restore"
  const deed = names === "" || isMailBack ? undefined : deeds[code]
  const why = isMail
    ? interpolate(isMailBack ? words.mailBack : words.mailMayStop, { names, who: platform.name ?? words.theShop })
    : renderWarning(warning, view)
  return html`${impliedWarnings.has(code) ? nothing : html`<p class="told">${why}</p>`}
    <label class="check">
      <input
        type="checkbox"
        name=${code}
        aria-required="true"
        aria-invalid=${isMissing}
        .checked=${consent.acknowledged.has(code)}
        @change=${({ target }: Event) => actions.acknowledge(code, target instanceof HTMLInputElement && target.checked)}
      />
      <strong>${interpolate(deed ?? words.deedOther, { names })}</strong>
    </label>`
}

/** Most small domains get no mail: only who does has something to confirm. */
const renderMailQuestion = (warning: WarningDetailDocument, view: ViewModel): TemplateResult => {
  const { actions, connection, consent, isIncomplete, words } = view
  const names = formatNames(listShownNames(warning.changes, connection), view)
  const renderAnswer = (getsMail: boolean, text: string) =>
    html`<label class="check">
      <input
        type="radio"
        name="gets-mail"
        .checked=${consent.getsMail === getsMail}
        aria-invalid=${isIncomplete && consent.getsMail === undefined}
        @change=${() => actions.answerMail(getsMail)}
      />
      <span>${text}</span>
    </label>`
  return html`<fieldset class="question">
    <legend>${interpolate(words.mailQuestion, { names })}</legend>
    ${renderAnswer(false, words.mailNo)} ${renderAnswer(true, words.mailYes)}
    <p class="quiet">${words.mailUnsure}</p>
    ${consent.getsMail === true ? renderDeed(warning, view) : nothing}
  </fieldset>`
}
