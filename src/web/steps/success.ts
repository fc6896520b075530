import { html, nothing, type TemplateResult } from "lit"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { buttonRow, heading, icons, primaryButton } from "../templates.ts"
import { noticeList } from "./changes.ts"
import { instructions } from "./manual.ts"

/** It is done: connected, or taken out again. */
export const success = (view: ViewModel): TemplateResult => {
  const { actions: acts, connection, words } = view
  const isOut = connection.state === "disconnected"
  const { domain } = connection.intent
  const isLeftToDo = isOut && (connection.plan?.changes.length ?? 0) > 0
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${heading(interpolate(isOut ? words.disconnectedTitle : words.successTitle, { domain }))}
      <p class="lead">${isOut ? words.disconnectedText : words.successText}</p>
    </div>
    ${isLeftToDo ? instructions(view) : nothing} ${isOut ? noticeList(view) : nothing}
    ${buttonRow(primaryButton(words.done, view, acts.close))}`
}
