import type { LitElement, ReactiveController } from "lit"
import { Refused } from "./ConnectionClient.ts"

/** The page has not brought any token since it was opened. */
export class NoSession extends Error {}

/** Keeps the token of the page. Whoever needs one waits until there is one that has not been refused. */
export class TokenHolder implements ReactiveController {
  readonly #onExpired: () => void
  #token = ""
  #rejected = ""
  #waiting: Array<(token: string) => void> = []
  #asking: ReturnType<typeof setTimeout> | undefined
  #pause = firstPause

  #attached = new AbortController()

  constructor(host: LitElement, onExpired: () => void) {
    this.#onExpired = onExpired
    host.addController(this)
  }

  hostConnected(): void {
    const { signal } = (this.#attached = new AbortController())
    addEventListener("online", () => this.askAgain(), { signal })
    document.addEventListener("visibilitychange", () => document.hidden || this.askAgain(), { signal })
  }

  hostDisconnected(): void {
    this.#attached.abort()
    this.#rest()
  }

  put(token: string): void {
    this.#token = token
    if (!this.#isGood) return
    this.#rest()
    const waiting = this.#waiting
    this.#waiting = []
    waiting.forEach((resolve) => resolve(token))
  }

  async get(): Promise<string> {
    if (this.#isGood) return this.#token
    if (this.#token !== "") this.ask()
    return this.#next()
  }

  /** Gives another token in place of one that was refused. */
  async renew(rejected: string): Promise<string> {
    if (rejected === this.#token) this.#rejected = rejected
    return this.get()
  }

  /** Asks the page for a token, again and again until it brings one: its own request may have failed. */
  ask(): void {
    if (this.#asking !== undefined) return
    this.#asking = setTimeout(() => {
      this.#asking = undefined
      this.ask()
    }, this.#pause)
    this.#pause = Math.min(this.#pause * 2, longestPause)
    this.#onExpired()
  }

  /** If it is being asked, at once: what stood in the way may be gone. */
  askAgain(): void {
    if (this.#asking === undefined) return
    this.#rest()
    this.ask()
  }

  #rest(): void {
    clearTimeout(this.#asking)
    this.#asking = undefined
    this.#pause = firstPause
  }

  get #isGood(): boolean {
    return this.#token !== "" && this.#token !== this.#rejected
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      setTimeout(() => {
        if (this.#isGood) return
        this.ask()
        reject(this.#token === "" ? new NoSession() : new Refused(401, "unauthenticated", []))
      }, patience)
    })
  }
}

/** How long the page may take to bring a token before the customer is told, in milliseconds. */
export const patience = 8_000

/** How long the page is left alone after it was asked, at first and at most. */
const firstPause = 4_000
const longestPause = 60_000
