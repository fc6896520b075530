import type { PlatformProfile } from "../domain/access/Application.ts"
import type { ConnectionAction } from "../domain/connection/Connection.ts"
import type { ConnectionDocument, WarningDetailDocument } from "../domain/connection/ConnectionDocument.ts"
import type { ChangeRecordDocument } from "../domain/plan/NamedRecord.ts"
import type { ObservationsDocument } from "../domain/plan/ObservationsDocument.ts"

export type { ConnectionState, FailureCode, FailureDetail } from "../domain/connection/Connection.ts"
export type { ChangeDocument, FailureDocument } from "../domain/connection/ConnectionDocument.ts"
export type { ChangeRecordDocument, ConnectionDocument, ObservationsDocument, WarningDetailDocument }

/** The profile of the platform that the customer sees. */
export type PlatformDocument = typeof PlatformProfile.Type

/** Whether the connection is in a final state; its tokens are no longer valid then. */
export const hasEnded = (connection: ConnectionDocument | undefined): boolean =>
  ["expired", "canceled", "disconnected"].includes(connection?.state ?? "")

/** The name of a host relative to its zone, as DNS providers expect it; the full name where the zone is unknown. */
export const relativeNameOf = ({ name, zoneHost = name }: Pick<ChangeRecordDocument, "name" | "zoneHost">): string =>
  zoneHost

/** Whether both are the same record, whatever its TTL. */
export const isSameRecord = (one: ComparedRecord, { host, type, value }: ComparedRecord): boolean =>
  one.host === host && one.type === type && one.value === value

type ComparedRecord = Pick<ChangeRecordDocument, "host" | "type" | "value">

/** Whether the customer may send this command now; a connection written by an earlier version does not say so. */
export const isAllowed = ({ allowedActions }: ConnectionDocument, action: ConnectionAction): boolean =>
  allowedActions?.includes(action) ?? true

/** The warnings of the plan, explained. */
export const warningsOf = ({ plan }: ConnectionDocument): ReadonlyArray<WarningDetailDocument> =>
  plan?.warningDetails ?? []

/** The zone of the connection: the domain, or the domain above it that holds its records. */
export const zoneNameOf = ({ intent, plan }: ConnectionDocument): string => plan?.zone ?? intent.domain

/** The display name of the provider; `undefined` if it was not recognised. */
export const providerNameOf = ({ provider }: ConnectionDocument): string | undefined =>
  provider === undefined || provider.id === "unknown" ? undefined : provider.name

/** The text if it is an http(s) URL: safe as the target of a link. */
export const toSafeWebUrl = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
