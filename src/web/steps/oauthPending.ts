import { html, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { buttonRow, heading, primaryButton, secondaryButton } from "../templates.ts"

/** The customer is at the provider, or was and is back here before the end: to go there again, or another way. */
export const oauthPending = (view: ViewModel): TemplateResult => {
  const { actions: acts, connection, words } = view
  const values = { provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${heading(interpolate(words.visitTitle, values))}
      <p class="lead">${interpolate(words.visitText, values)}</p>
    </div>
    ${buttonRow(
      primaryButton(interpolate(words.oauthButton, values), view, acts.startOAuth),
      secondaryButton(words.visitOtherWay, acts.chooseOtherMethod)
    )}`
}
