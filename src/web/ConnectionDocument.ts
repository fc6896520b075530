import type { Connection } from "../domain/Connection.ts"
import type { Change, ChangeRecord } from "../domain/Plan.ts"
import type { ObservationsBody } from "../domain/RecordObservation.ts"

/** A connection as it travels: times are text. */
export type ConnectionDocument = typeof Connection.Encoded

/** What the servers show of a connection, as it travels. */
export type ObservationsDocument = typeof ObservationsBody.Encoded

export type ChangeDocument = typeof Change.Encoded
export type RecordDocument = typeof ChangeRecord.Encoded

/** Whether nothing more can happen to the connection: its tokens have ended with it. */
export const hasEnded = (connection: ConnectionDocument | undefined): boolean =>
  ["expired", "canceled", "disconnected"].includes(connection?.state ?? "")

/** The whole name of a host of the domain: `@` stands for the domain itself. */
export const fullName = (host: string, { effectiveIntent: { domain } }: ConnectionDocument): string =>
  host === "@" ? domain : `${host}.${domain}`

/** The name of a host as the DNS settings of its zone take it; in full where nobody has kept what the zone is. */
export const nameInZone = (host: string, connection: ConnectionDocument): string => {
  const name = fullName(host, connection)
  const zone = connection.plan?.zone
  if (zone === undefined) return name
  return name === zone ? "@" : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** Whose DNS settings they are: the domain, or what it is a subdomain of. */
export const zoneName = ({ intent, plan }: ConnectionDocument): string => plan?.zone ?? intent.domain

/** The name of the provider, if anybody knows it. */
export const providerName = ({ provider }: ConnectionDocument): string | undefined =>
  provider === undefined || provider.id === "unknown" ? undefined : provider.name

/** A link that leads to a page and runs nothing. */
export const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
