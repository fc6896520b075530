import type { LitElement, ReactiveController } from "lit"
import { RequestRejected } from "./ConnectionClient.ts"

/** The embedding page has not set a token since it was opened. */
export class MissingTokenError extends Error {}

/** Holds the browser token. `getToken` waits until there is one that the service has not rejected. */
export class TokenSource implements ReactiveController {
  readonly #onExpired: () => void
  #token = ""
  #rejected = ""
  #waiting: Array<(token: string) => void> = []
  #requestTimer: ReturnType<typeof setTimeout> | undefined
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
    this.#stopRequesting()
  }

  setToken(token: string): void {
    this.#token = token
    if (!this.#isUsable) return
    this.#stopRequesting()
    const waiting = this.#waiting
    this.#waiting = []
    waiting.forEach((resolve) => resolve(token))
  }

  async getToken(): Promise<string> {
    if (this.#isUsable) return this.#token
    if (this.#token !== "") this.requestToken()
    return this.#nextToken()
  }

  /** Resolves to another token than the one that the service rejected. */
  async replaceToken(rejected: string): Promise<string> {
    if (rejected === this.#token) this.#rejected = rejected
    return this.getToken()
  }

  /** Asks the page for a token, repeatedly until it sets one: its own request may have failed. */
  requestToken(): void {
    if (this.#requestTimer !== undefined) return
    this.#requestTimer = setTimeout(() => {
      this.#requestTimer = undefined
      this.requestToken()
    }, this.#pause)
    this.#pause = Math.min(this.#pause * 2, longestPause)
    this.#onExpired()
  }

  /** Repeats a pending request at once: the network may be back. */
  retryNow(): void {
    if (this.#requestTimer === undefined) return
    this.#stopRequesting()
    this.requestToken()
  }

  #stopRequesting(): void {
    clearTimeout(this.#requestTimer)
    this.#requestTimer = undefined
    this.#pause = firstPause
  }

  get #isUsable(): boolean {
    return this.#token !== "" && this.#token !== this.#rejected
  }

  #nextToken(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      setTimeout(() => {
        if (this.#isUsable) return
        this.requestToken()
        reject(this.#token === "" ? new MissingTokenError() : new RequestRejected(401, "unauthenticated", []))
      }, tokenTimeoutMillis)
    })
  }
}

/** How long the page may take to set a token before the customer sees an error, in milliseconds. */
export const tokenTimeoutMillis = 8_000

/** Milliseconds between two requests for a token: at first, and at most. */
const firstPause = 4_000
const longestPause = 60_000
