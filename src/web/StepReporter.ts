import type { LitElement, ReactiveController } from "lit"
import type { ConnectionDocument } from "./ConnectionDocument.ts"
import { type ConnectionStep, stepNumbers } from "./stepOf.ts"

/** Tells the page which step is displayed, and keeps its place in the bar, which only the customer moves back. */
export class StepReporter implements ReactiveController {
  /** The place among the four steps of the bar; `undefined` where the bar would say nothing. */
  position: number | undefined
  readonly #current: () => DisplayedStep
  readonly #report: (detail: object) => void
  #reported: ConnectionStep | undefined
  #reason: string | undefined

  constructor(host: LitElement, current: () => DisplayedStep, report: (detail: object) => void) {
    this.#current = current
    this.#report = report
    host.addController(this)
  }

  /** Why the customer leaves the displayed step, where the connection does not say it; back is a place before. */
  leave(reason: string | undefined): void {
    this.#reason = reason
    if (reason === "back") this.position = undefined
  }

  /** Another connection begins at the beginning. */
  reset(): void {
    this.#reported = undefined
    this.position = undefined
  }

  hostUpdate(): void {
    const { step } = this.#current()
    const number = step && stepNumbers[step]
    const isOver = this.position === 4 || number === 4
    this.position = number === undefined || isOver ? number : Math.max(this.position ?? 0, number)
  }

  hostUpdated(): void {
    const { connection, step } = this.#current()
    if (step === undefined || step === this.#reported) return
    const previous = this.#reported
    const reason = this.#reason ?? connection?.failure?.code ?? connection?.replan?.code
    this.#reported = step
    this.#reason = undefined
    this.#report({
      step,
      ...(previous === undefined ? {} : { previous }),
      ...(previous === undefined || reason === undefined ? {} : { reason })
    })
  }
}

interface DisplayedStep {
  readonly step: ConnectionStep | undefined
  readonly connection: ConnectionDocument | undefined
}
