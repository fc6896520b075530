/** A customer's browser, as far as a redirect needs one: it keeps cookies by origin and follows where it is led. */
export class HttpBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()
  /** Every address that it was at. */
  readonly history: Array<string> = []

  /** Loads an address without following where it leads. */
  async load(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    this.history.push(url)
    const { origin } = new URL(url)
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, {
      redirect: "manual",
      method,
      headers: { ...headers, connection: "close", ...(cookie === "" ? {} : { cookie }) }
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(set) || value === "") jar.delete(name)
      else jar.set(name, value)
    }
    this.#cookies.set(origin, jar)
    return response
  }

  /** Follows redirects from an address until `stop` says that the next one is far enough, and gives that one. */
  async follow(url: string, stop: (next: string) => boolean, headers: Record<string, string> = {}): Promise<string> {
    const response = await this.load(url, headers)
    const location = response.headers.get("location")
    if (location === null) throw new Error(`${response.status} at ${url}: ${await response.text()}`)
    const next = new URL(location, url).href
    return stop(next) ? next : this.follow(next, stop)
  }

  cookiesAt(origin: string): ReadonlyMap<string, string> {
    return this.#cookies.get(origin) ?? new Map()
  }
}
