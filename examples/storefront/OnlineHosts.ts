import type { ConnectionState, WebhookEvent } from "@domain-connection/client"

/** A connection as its newest event told it. */
interface KnownConnection {
  readonly version: number
  readonly state: ConnectionState
  readonly hosts: ReadonlyArray<string>
}

/** The hosts of customers at which the product answers, as webhooks tell it. A product keeps them in its database. */
export class OnlineHosts {
  readonly #connections = new Map<string, KnownConnection>()

  /** Takes in an event. Events may come twice and out of order: the version of the connection tells the newest. */
  apply({ data }: WebhookEvent): void {
    if (!("connection" in data)) return
    const { connection, version } = data
    const known = this.#connections.get(connection.id)
    if (known !== undefined && known.version > version) return
    const hosts = connection.effectiveIntent.records.map(({ name }) => name)
    this.#connections.set(connection.id, { version, state: connection.state, hosts })
  }

  /** Whether a connection with this host is in place. One that is degraded may be back at the next check. */
  has(host: string): boolean {
    return [...this.#connections.values()].some(
      ({ hosts, state }) => (state === "active" || state === "degraded") && hosts.includes(host)
    )
  }
}
