import type { LitElement, ReactiveController } from "lit"

/** Whoever works here is taken along to the next step; whoever reads elsewhere on the page is left in peace. */
export class StepFocus implements ReactiveController {
  /** What the step before last drew: read out once it has changed, wherever the focus is. */
  headline = ""
  readonly #host: LitElement
  readonly #stepNow: () => string | undefined
  #shown: string | undefined
  #isWorkedWith = false

  constructor(host: LitElement, stepNow: () => string | undefined) {
    this.#host = host
    this.#stepNow = stepNow
    host.addController(this)
    host.addEventListener("focusin", () => (this.#isWorkedWith = true))
    host.addEventListener("focusout", ({ relatedTarget }) => (this.#isWorkedWith = relatedTarget === null))
  }

  hostUpdated(): void {
    const title = this.#host.renderRoot.querySelector("h2")
    const headline = title?.textContent?.trim() ?? ""
    if (headline !== this.headline) {
      this.headline = headline
      this.#host.requestUpdate()
    }
    const step = this.#stepNow()
    if (step === this.#shown) return
    const isFirst = this.#shown === undefined
    this.#shown = step
    if (!isFirst && this.#isWorkedWith) title?.focus()
  }
}
