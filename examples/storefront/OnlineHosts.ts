import type { Connection, WebhookEvent } from "@domain-connection/client"

/** A connection as its newest event told it. */
interface KnownConnection {
  readonly version: number
  readonly isOnline: boolean
  readonly hosts: ReadonlyArray<string>
  readonly shop: string
}

/** The hosts of customers at which the product answers, as webhooks tell it. A product keeps them in its database. */
export class OnlineHosts {
  readonly #connections = new Map<string, KnownConnection>()

  /** Takes in an event. Events may come twice and out of order: the version of the connection tells the newest. */
  apply({ data, type }: WebhookEvent): void {
    if (!("connection" in data)) return
    const { connection, version } = data
    const known = this.#connections.get(connection.id)
    if (known !== undefined && known.version > version) return
    const hosts = connection.effectiveIntent.records.map(({ name }) => name)
    const shop = connection.metadata?.["shop"] ?? "The shop"
    // Another customer has taken the hosts, although the change to a new intent continues.
    const isLost = type === "connection.degraded" && connection.pendingIntent !== undefined
    this.#connections.set(connection.id, { version, isOnline: !isLost && isOnline(connection, known), hosts, shop })
  }

  /** The name of the shop at a host. */
  findShop(host: string): string | undefined {
    return [...this.#connections.values()].find(({ hosts, isOnline }) => isOnline && hosts.includes(host))?.shop
  }
}

/** Whether the hosts of a connection are in place. */
const isOnline = (
  { control, failure, pendingIntent, state }: Connection,
  known: KnownConnection | undefined
): boolean => {
  // The old intent counts until the new one is applied.
  if (pendingIntent !== undefined) return known?.isOnline ?? control?.status === "proven"
  // A degraded connection may be back at the next check, unless another customer has taken its hosts.
  return state === "active" || (state === "degraded" && failure?.code !== "control_lost")
}
