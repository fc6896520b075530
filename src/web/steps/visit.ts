import { html, type TemplateResult } from "lit"
import { actions, heading, mainButton, sideButton } from "../pieces.ts"
import { fill, type View } from "../View.ts"

/** The customer is at the provider, or was and is back here before the end: to go there again, or another way. */
export const visit = (view: View): TemplateResult => {
  const { acts, connection, words } = view
  const values = { provider: connection.provider?.name ?? "" }
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${heading(fill(words.visitTitle, values))}
      <p class="lead">${fill(words.visitText, values)}</p>
    </div>
    ${actions(
      mainButton(fill(words.oauthButton, values), view, acts.openProvider),
      sideButton(words.visitOtherWay, acts.wantOtherWay)
    )}`
}
