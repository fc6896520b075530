import type { LitElement, TemplateResult } from "lit"
import type { laterSteps } from "./steps/laterSteps.ts"
import type { ConnectionStep } from "./stepOf.ts"
import type { ViewModel } from "./ViewModel.ts"

/** Loads the steps that follow the review, while the customer reads it. */
export class LaterSteps {
  readonly #host: LitElement
  readonly #onFailed: () => void
  #isLoading = false
  #steps: typeof laterSteps | undefined

  constructor(host: LitElement, onFailed: () => void) {
    this.#host = host
    this.#onFailed = onFailed
  }

  /** Whether a step can be displayed now. */
  has(step: ConnectionStep): boolean {
    return !isLater(step) || this.#steps !== undefined
  }

  /** Renders a step that follows the review; `undefined` for any other. */
  render(step: ConnectionStep, view: ViewModel): TemplateResult | undefined {
    return isLater(step) ? this.#steps?.[step](view) : undefined
  }

  /** What the last check has found, in words, where the customer enters records by hand. */
  formatCheckAnswer(step: ConnectionStep | undefined, view: ViewModel): string | undefined {
    return step === "by_hand" ? this.#steps?.formatCheckAnswer(view) : undefined
  }

  load(): void {
    if (this.#isLoading || this.#steps !== undefined) return
    this.#isLoading = true
    void this.#load()
      .catch(this.#onFailed)
      .finally(() => (this.#isLoading = false))
  }

  async #load(): Promise<void> {
    this.#steps = (await import("./steps/laterSteps.ts")).laterSteps
    this.#host.requestUpdate()
  }
}

const isLater = (step: ConnectionStep): step is "ways" | "sign_in" | "by_hand" =>
  ["ways", "sign_in", "by_hand"].includes(step)
