/** Requests of an operator's page to the service it comes from, with an admin key. */
export class OperatorRequests {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  get<Body>(path: string): Promise<Body> {
    return this.#send(path, "GET")
  }

  post(path: string): Promise<unknown> {
    return this.#send(path, "POST")
  }

  async #send<Body>(path: string, method: string): Promise<Body> {
    const response = await fetch(`/v1/admin${path}`, { method, headers: { "x-admin-key": this.#key } })
    const body = await response.json()
    if (!response.ok) throw new Error(body.error?.message ?? `the service answers ${response.status}`)
    return body
  }
}
