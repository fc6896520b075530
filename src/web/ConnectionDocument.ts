import type { PlatformProfile } from "../domain/access/Application.ts"
import type { ConnectionAction } from "../domain/connection/Connection.ts"
import type { ConnectionDocument, WarningDetailDocument } from "../domain/connection/ConnectionDocument.ts"
import type { ChangeRecordDocument } from "../domain/plan/NamedRecord.ts"
import type { ObservationsDocument } from "../domain/plan/ObservationsDocument.ts"
import { toUnicodeName } from "./toUnicodeName.ts"

export type { ChangeOutcome, ConnectionState, FailureCode, FailureDetail } from "../domain/connection/Connection.ts"
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

/** The zone as people write it. */
export const shownZoneOf = (connection: ConnectionDocument): string => toUnicodeName(zoneNameOf(connection))

/** The name of a record's host as people write it. */
export const nameOf = ({ name, unicodeName }: Pick<ChangeRecordDocument, "name" | "unicodeName">): string =>
  unicodeName ?? toUnicodeName(name)

/** The domain of the connection as people write it. */
export const domainOf = ({ intent }: ConnectionDocument): string => toUnicodeName(intent.domain)

/** What the platform wants: by the new intent that the plan leads to, where there is one. */
export const wantedOf = (connection: ConnectionDocument): Wanted => connection.pendingIntent ?? connection

type Wanted = Pick<ConnectionDocument, "effectiveIntent" | "optionalFailureDetails">

/** The address that a visitor enters, as `websiteOf`; the domain where there is no website. */
export const addressOf = (connection: ConnectionDocument): string => websiteOf(connection) ?? domainOf(connection)

/** The name that shows the website: the domain itself where it does, else the first host; none of a wildcard alone. */
export const websiteOf = (connection: ConnectionDocument): string | undefined => {
  const shown = wantedOf(connection).effectiveIntent.records.filter(
    (record) => isWebRecord(record) && !record.host.startsWith("*")
  )
  const first = ["@", "www"].flatMap((host) => shown.filter((record) => record.host === host))[0] ?? shown[0]
  return first && nameOf(first)
}

/** The desired records that the zone has already: the plan neither makes nor removes them. */
export const listStanding = (connection: ConnectionDocument) => {
  const changed = (connection.plan?.changes ?? []).flatMap(({ after, before }) => [after ?? [], before ?? []].flat())
  return wantedOf(connection).effectiveIntent.records.filter(
    (record) => !changed.some((other) => isSameRecord(other, record))
  )
}

/** Whether a record leads visitors to a website: not that of a key, a policy or a name that only programs look up. */
export const isWebRecord = ({ host, type }: Pick<ChangeRecordDocument, "host" | "type">): boolean =>
  ["A", "AAAA", "CNAME", "ALIAS", "ANAME", "HTTPS"].includes(type) && !/(^|\.)_/.test(host) && !programNames.test(host)

/** Names that mail clients and services of Microsoft 365 look up, and those of senders and tracked links of mail services. */
const programNames =
  /^(autoconfig|autodiscover|em\d+|enterpriseenrollment|enterpriseregistration|lyncdiscover|msoid|mta-sts|sip|url\d+)(\.|$)/i

/** The display names of the providers that run the zone, usually of one; none if none was recognised. */
export const providerNamesOf = ({ provider }: ConnectionDocument): ReadonlyArray<string> =>
  provider === undefined
    ? []
    : (provider.detection.providers ?? [provider])
        .filter(({ id }) => id !== "unknown" || provider.detection.method === "domain_connect")
        .map(({ name }) => name)

/** The providers that may run the zone, where their name servers do not tell; empty where the provider is known. */
export const candidatesOf = ({ provider }: ConnectionDocument): ReadonlyArray<Candidate> =>
  provider?.detection.candidates ?? []

type Candidate = NonNullable<NonNullable<ConnectionDocument["provider"]>["detection"]["candidates"]>[number]

/** Whether the customer has to say which of the candidates runs the zone. */
export const isUndecided = ({ provider }: ConnectionDocument): boolean =>
  provider?.detection.candidates !== undefined && provider.detection.method === "nameserver"

/** When servers were asked last, as an ISO 8601 time; empty before the first time. */
export const lastCheckOf = (observations: ObservationsDocument | undefined): string =>
  (observations?.records ?? []).reduce((last, { checkedAt = "" }) => (checkedAt > last ? checkedAt : last), "")

/** The text if it is an http(s) URL: safe as the target of a link. */
export const toSafeWebUrl = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
