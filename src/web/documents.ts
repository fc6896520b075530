import type { Connection } from "../domain/Connection.ts"
import type { Observations } from "../domain/Observation.ts"
import type { Change, ChangeRecord } from "../domain/Plan.ts"

/** A connection as it travels: times are text. */
export type ConnectionDocument = typeof Connection.Encoded

/** What the servers show of a connection, as it travels. */
export type ObservationsDocument = typeof Observations.Encoded

export type ChangeDocument = typeof Change.Encoded
export type RecordDocument = typeof ChangeRecord.Encoded

/** The whole name of a host of the domain: `@` stands for the domain itself. */
export const fullName = (host: string, { effectiveIntent: { domain } }: ConnectionDocument): string =>
  host === "@" ? domain : `${host}.${domain}`

/** The name of the provider, if anybody knows it. */
export const providerName = ({ provider }: ConnectionDocument): string | undefined =>
  provider === undefined || provider.id === "unknown" ? undefined : provider.name

/** A link that leads to a page and runs nothing. */
export const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
