import type { Connection } from "../domain/Connection.ts"
import type { Change, ChangeRecord } from "../domain/Plan.ts"
import type { ObservationsBody } from "../domain/RecordObservation.ts"

/** The JSON form of a connection. */
export type ConnectionDocument = typeof Connection.Encoded

/** The JSON form of what the name servers answer for a connection. */
export type ObservationsDocument = typeof ObservationsBody.Encoded

export type ChangeDocument = typeof Change.Encoded
export type RecordDocument = typeof ChangeRecord.Encoded

/** Whether the connection is in a final state; its tokens are no longer valid then. */
export const hasEnded = (connection: ConnectionDocument | undefined): boolean =>
  ["expired", "canceled", "disconnected"].includes(connection?.state ?? "")

/** The full name of a host relative to the domain; `@` is the domain itself. */
export const fullNameOf = (host: string, { effectiveIntent: { domain } }: ConnectionDocument): string =>
  host === "@" ? domain : `${host}.${domain}`

/** The name of a host relative to its zone, as DNS providers expect it; the full name where the zone is unknown. */
export const relativeNameOf = (host: string, connection: ConnectionDocument): string => {
  const name = fullNameOf(host, connection)
  const zone = connection.plan?.zone
  if (zone === undefined) return name
  return name === zone ? "@" : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** The zone of the connection: the domain, or the domain above it that holds its records. */
export const zoneNameOf = ({ intent, plan }: ConnectionDocument): string => plan?.zone ?? intent.domain

/** The display name of the provider; `undefined` if it was not recognised. */
export const providerNameOf = ({ provider }: ConnectionDocument): string | undefined =>
  provider === undefined || provider.id === "unknown" ? undefined : provider.name

/** The text if it is an http(s) URL: safe as the target of a link. */
export const toSafeWebUrl = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
