import { html, nothing, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { buttonRow, heading, icons, primaryButton } from "../templates.ts"
import { noticeList } from "./changes.ts"
import { instructions } from "./manual.ts"

/** The final step: connected, or disconnected. */
export const success = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const isDisconnected = connection.state === "disconnected"
  const { domain } = connection.intent
  const hasRemainingChanges = isDisconnected && (connection.plan?.changes.length ?? 0) > 0
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${heading(interpolate(isDisconnected ? words.disconnectedTitle : words.successTitle, { domain }))}
      <p class="lead">${isDisconnected ? words.disconnectedText : words.successText}</p>
    </div>
    ${hasRemainingChanges ? instructions(view) : nothing} ${isDisconnected ? noticeList(view) : nothing}
    ${buttonRow(primaryButton(words.done, view, actions.close))}`
}
