import type { LitElement, ReactiveController } from "lit"

/**
 * Moves the focus to the heading of a new step, if the customer was working inside the element, and brings into view
 * what a check has found wrong.
 */
export class StepFocus implements ReactiveController {
  /** The heading of the displayed step, for screen readers to announce when it changes. */
  headline = ""
  readonly #host: LitElement
  readonly #currentStep: () => string | undefined
  #displayedStep: string | undefined
  #hasFocus = false
  #answer: string | undefined

  constructor(host: LitElement, currentStep: () => string | undefined) {
    this.#host = host
    this.#currentStep = currentStep
    host.addController(this)
    host.addEventListener("focusin", () => (this.#hasFocus = true))
    host.addEventListener("focusout", ({ relatedTarget }) => (this.#hasFocus = relatedTarget === null))
  }

  hostUpdated(): void {
    const title = this.#host.renderRoot.querySelector("h2")
    const headline = title?.textContent?.trim() ?? ""
    if (headline !== this.headline) {
      this.headline = headline
      this.#host.requestUpdate()
    }
    const answer = this.#host.renderRoot.querySelector(".answer")?.textContent
    if (answer !== undefined && answer !== this.#answer)
      this.#host.renderRoot.querySelector(".slip")?.scrollIntoView({ block: "nearest" })
    this.#answer = answer
    const step = this.#currentStep()
    if (step === this.#displayedStep) return
    const isFirst = this.#displayedStep === undefined
    this.#displayedStep = step
    if (!isFirst && this.#hasFocus) title?.focus()
  }
}
