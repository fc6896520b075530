import { html, nothing, type TemplateResult } from "lit"
import { candidatesOf, isUndecided, shownZoneOf } from "../ConnectionDocument.ts"
import { renderButtonRow, renderHeading, renderSecondaryButton } from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"

/** The step before the ways where several providers use the same name servers. */
export const renderProviderQuestion = (view: ViewModel): TemplateResult => {
  const { actions, words } = view
  return html`${renderHeading(providerQuestionOf(view))}
    <p class="lead">${words.providerQuestionText}</p>
    ${renderCandidates(view)} ${renderButtonRow(renderSecondaryButton(words.back, actions.goBack))}`
}

/** Another answer to the question, while the service is not let in. */
export const renderOtherProvider = (view: ViewModel): TemplateResult | typeof nothing =>
  candidatesOf(view.connection).length === 0
    ? nothing
    : html`<details class="way fold" part="way way-provider">
        <summary>${providerQuestionOf(view)}</summary>
        <p>${view.words.providerQuestionText}</p>
        ${renderCandidates(view)}
      </details>`

const providerQuestionOf = ({ connection, words }: ViewModel): string =>
  interpolate(words.providerQuestion, { domain: shownZoneOf(connection) })

const renderCandidates = (view: ViewModel): TemplateResult => {
  const { actions, connection, isBusy, words } = view
  const candidates = [...candidatesOf(connection), { id: "unknown", name: words.providerOther }]
  const answer = isUndecided(connection) ? undefined : connection.provider?.id
  return html`<div class="actions" part="actions">
    ${candidates
      .filter(({ id }) => id !== answer)
      .map(
        ({ id, name }) =>
          html`<button
            class="side"
            part="button button-side"
            type="button"
            ?disabled=${isBusy}
            @click=${() => actions.selectProvider(id)}
          >
            ${name}
          </button>`
      )}
  </div>`
}
