/** A minimal browser for redirects: it keeps cookies by origin and follows redirects. */
export class HttpBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()
  readonly #trusted: string | undefined

  /** `trusted` is a certificate in PEM that it trusts. */
  constructor(trusted?: string) {
    this.#trusted = trusted
  }

  /** Every URL that it has loaded. */
  readonly history: Array<string> = []

  /** Loads a URL without following a redirect. */
  async load(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    this.history.push(url)
    const { origin } = new URL(url)
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, {
      redirect: "manual",
      method,
      ...(this.#trusted === undefined ? {} : { tls: { ca: this.#trusted } }),
      headers: { ...headers, connection: "close", ...(cookie === "" ? {} : { cookie }) }
    })
    for (const setCookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(setCookie) || value === "") jar.delete(name)
      else jar.set(name, value)
    }
    this.#cookies.set(origin, jar)
    return response
  }

  /** Follows redirects from a URL until `stop` accepts the next URL, and returns that one without loading it. */
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
