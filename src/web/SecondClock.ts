import type { LitElement, ReactiveController } from "lit"

/** The current time of an element, which is rendered again every second while it is in a page. */
export class SecondClock implements ReactiveController {
  now = Date.now()
  readonly #host: LitElement
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(host: LitElement) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {
    this.#timer = setInterval(() => {
      this.now = Date.now()
      this.#host.requestUpdate()
    }, 1_000)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
  }
}
