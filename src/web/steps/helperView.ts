import { html, nothing, type TemplateResult } from "lit"
import { addressOf } from "../ConnectionDocument.ts"
import { listTasks } from "../manualTasks.ts"
import type { ConnectionStep } from "../stepOf.ts"
import { renderHeading } from "../templates.ts"
import { interpolate, interpolateCount, type ViewModel } from "../ViewModel.ts"
import { providersOf } from "./sentences.ts"

/** Tells a helper who asks for what, as long as something is left to do. */
export const renderRequest = (
  step: ConnectionStep,
  sender: string,
  view: ViewModel
): TemplateResult | typeof nothing => {
  if (step !== "by_hand" && !customerSteps.has(step)) return nothing
  const { connection, locale, words } = view
  const tasks = listTasks(view)
  const count = tasks.length
  const values = {
    sender: sender || (view.platform.name ?? words.share.somebody),
    domain: addressOf(connection),
    provider: providersOf(view) ?? words.yourProvider
  }
  return html`<p class="notice asks" part="request">
    <b>${interpolateCount(count === 1 ? words.share.asksOne : words.share.asks, count, { locale, values })}</b>
  </p>`
}

/** The steps at which it is the customer's turn: a helper waits there. */
const customerSteps: ReadonlySet<ConnectionStep> = new Set(["review", "ways", "sign_in"])

/** What a helper sees while it is the customer's turn; `undefined` where the helper sees what the customer would. */
export const renderHelperWait = (
  step: ConnectionStep,
  sender: string,
  { words }: ViewModel
): TemplateResult | undefined =>
  customerSteps.has(step)
    ? html`<div class="centre">
        ${renderHeading(interpolate(words.share.waitTitle, { sender: sender || words.share.somebody }))}
        <p class="lead">${words.share.waitText}</p>
      </div>`
    : undefined
