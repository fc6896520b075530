import { Either } from "effect"
import { type DomainName, hostsAffectedBy } from "../../domain/DomainName.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { NoAnswer } from "../transport/Query.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { NameServer } from "./NameServer.ts"
import { mergeZoneRecords, type RRsetAnswer } from "./RRsetAnswer.ts"

/** A zone as one server shows it: the records that it answered with, and what it left open. */
export interface ServerView {
  readonly server: NameServer
  readonly zone: Zone
  readonly open: ReadonlyArray<UnknownRRset>
}

/** Whether there are records of the type at the host is unknown, and why. */
export interface UnknownRRset {
  readonly host: string
  readonly type: RecordTypeName
  readonly reason: NoAnswer["reason"]
}

/** What a server holds as a view of the zone, its hosts relative to the domain. */
export const toServerView = (
  server: NameServer,
  held: ReadonlyArray<RRsetAnswer>,
  { domain, zone }: { readonly domain: DomainName; readonly zone: DomainName }
): ServerView => ({
  server,
  zone: { name: zone, basis: "public_dns", records: mergeZoneRecords(held, domain) },
  open: held.flatMap(({ name, records, type }) =>
    Either.match(records, {
      onLeft: ({ reason }) => hostsAffectedBy(name, type, domain).map((host) => ({ host, type, reason })),
      onRight: () => []
    })
  )
})
