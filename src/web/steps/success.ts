import { html, nothing, type TemplateResult } from "lit"
import { actions, heading, icons, mainButton } from "../pieces.ts"
import { fill, type View } from "../View.ts"
import { worthKnowing } from "./changes.ts"
import { instructions } from "./manual.ts"

/** It is done: connected, or taken out again. */
export const success = (view: View): TemplateResult => {
  const { acts, connection, words } = view
  const isOut = connection.state === "disconnected"
  const { domain } = connection.intent
  const isLeftToDo = isOut && (connection.plan?.changes.length ?? 0) > 0
  return html`<div class="centre">
      <span class="sign good" aria-hidden="true">${icons.good}</span>
      ${heading(fill(isOut ? words.disconnectedTitle : words.successTitle, { domain }))}
      <p class="lead">${isOut ? words.disconnectedText : words.successText}</p>
    </div>
    ${isLeftToDo ? instructions(view) : nothing} ${isOut ? worthKnowing(view) : nothing}
    ${actions(mainButton(words.done, view, acts.close))}`
}
