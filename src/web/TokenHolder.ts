import { Refused } from "./ConnectionClient.ts"

/** Keeps the token of the page. Whoever needs one waits until there is one that has not been refused. */
export class TokenHolder {
  readonly #onExpired: () => void
  #token = ""
  #rejected = ""
  #waiting: Array<(token: string) => void> = []

  constructor(onExpired: () => void) {
    this.#onExpired = onExpired
  }

  put(token: string): void {
    this.#token = token
    if (!this.#isGood) return
    const waiting = this.#waiting
    this.#waiting = []
    waiting.forEach((resolve) => resolve(token))
  }

  async get(): Promise<string> {
    return this.#isGood ? this.#token : this.#next()
  }

  /** Asks the page, once for each token that was refused, for another one. */
  async renew(rejected: string): Promise<string> {
    if (rejected === this.#token && rejected !== this.#rejected) {
      this.#rejected = rejected
      this.#onExpired()
    }
    return this.get()
  }

  get #isGood(): boolean {
    return this.#token !== "" && this.#token !== this.#rejected
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      setTimeout(() => reject(new Refused(401, "unauthenticated", [])), patience)
    })
  }
}

/** How long the page may take to bring a token before the customer is told, in milliseconds. */
const patience = 8_000
