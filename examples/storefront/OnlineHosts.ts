import type { Connection, WebhookEvent } from "@domain-connection/client"

/** A connection as its newest event told it. */
interface KnownConnection {
  readonly version: number
  /** The hosts at which the shop is online. */
  readonly hosts: ReadonlyArray<string>
  readonly shop: string
}

/** The hosts of customers at which the product answers, as webhooks tell it. A product keeps them in its database. */
export class OnlineHosts {
  readonly #connections = new Map<string, KnownConnection>()

  /** Takes in an event. Events may come twice and out of order: the version of the connection tells the newest. */
  apply(event: WebhookEvent): void {
    // A contest changes nothing: its event has no more of the connection than its id and its state.
    if (event.type === "connection.contested" || !("connection" in event.data)) return
    const { connection, version } = event.data
    const known = this.#connections.get(connection.id)
    if (known !== undefined && known.version > version) return
    if ("state" in connection) {
      const shop = connection.metadata?.["shop"] ?? "The shop"
      this.#connections.set(connection.id, { version, hosts: onlineHostsOf(connection), shop })
    } else {
      // An erased connection; its version stays, since an older event may come later.
      this.#connections.set(connection.id, { version, hosts: [], shop: "" })
    }
  }

  /** The name of the shop at a host. */
  findShop(host: string): string | undefined {
    return [...this.#connections.values()].find(({ hosts }) => hosts.includes(host))?.shop
  }
}

/** The hosts of a connection that are in place. */
const onlineHostsOf = ({ allowedNames = [], effectiveIntent, failure, state }: Connection): ReadonlyArray<string> => {
  // A degraded connection may be back at the next check, unless another customer has taken its hosts.
  const isInPlace = state === "active" || (state === "degraded" && failure?.code !== "control_lost")
  // While it changes to a new intent, it goes on serving these.
  return isInPlace ? effectiveIntent.records.map(({ name }) => name) : allowedNames
}
