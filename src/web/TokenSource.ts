import type { LitElement, ReactiveController } from "lit"
import { RequestRejected } from "./ConnectionClient.ts"

/** The page has not brought any token since it was opened. */
export class MissingTokenError extends Error {}

/** Keeps the token of the page. Whoever needs one waits until there is one that has not been refused. */
export class TokenSource implements ReactiveController {
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
    addEventListener("online", () => this.retryNow(), { signal })
    document.addEventListener("visibilitychange", () => document.hidden || this.retryNow(), { signal })
  }

  hostDisconnected(): void {
    this.#attached.abort()
    this.#rest()
  }

  setToken(token: string): void {
    this.#token = token
    if (!this.#isGood) return
    this.#rest()
    const waiting = this.#waiting
    this.#waiting = []
    waiting.forEach((resolve) => resolve(token))
  }

  async getToken(): Promise<string> {
    if (this.#isGood) return this.#token
    if (this.#token !== "") this.requestToken()
    return this.#next()
  }

  /** Gives another token in place of one that was refused. */
  async replaceToken(rejected: string): Promise<string> {
    if (rejected === this.#token) this.#rejected = rejected
    return this.getToken()
  }

  /** Asks the page for a token, again and again until it brings one: its own request may have failed. */
  requestToken(): void {
    if (this.#asking !== undefined) return
    this.#asking = setTimeout(() => {
      this.#asking = undefined
      this.requestToken()
    }, this.#pause)
    this.#pause = Math.min(this.#pause * 2, longestPause)
    this.#onExpired()
  }

  /** If it is being asked, at once: what stood in the way may be gone. */
  retryNow(): void {
    if (this.#asking === undefined) return
    this.#rest()
    this.requestToken()
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
        this.requestToken()
        reject(this.#token === "" ? new MissingTokenError() : new RequestRejected(401, "unauthenticated", []))
      }, tokenTimeoutMillis)
    })
  }
}

/** How long the page may take to bring a token before the customer is told, in milliseconds. */
export const tokenTimeoutMillis = 8_000

/** How long the page is left alone after it was asked, at first and at most. */
const firstPause = 4_000
const longestPause = 60_000
