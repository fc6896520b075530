import { html, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { buttonRow, heading, primaryButton, secondaryButton } from "../templates.ts"

/** The step for a customer who is at the provider, or is back before the end: to go there again or choose another method. */
export const oauthPending = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const values = { provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${heading(interpolate(words.visitTitle, values))}
      <p class="lead">${interpolate(words.visitText, values)}</p>
    </div>
    ${buttonRow(
      primaryButton(interpolate(words.oauthButton, values), view, actions.startOAuth),
      secondaryButton(words.visitOtherWay, actions.chooseOtherMethod)
    )}`
}
