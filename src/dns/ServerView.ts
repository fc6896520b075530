import { Either } from "effect"
import type { DomainName } from "../domain/DomainName.ts"
import type { Zone } from "../domain/Zone.ts"
import { type Held, zoneRecords } from "./Held.ts"
import { hostsOf } from "./hostsOf.ts"
import type { NoAnswer } from "./NoAnswer.ts"
import type { NameServer } from "./Walk.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** A zone as one server shows it: the records that it answered with, and what it left open. */
export interface ServerView {
  readonly server: NameServer
  readonly zone: Zone
  readonly open: ReadonlyArray<OpenQuestion>
}

/** Whether there are records of the type at the host is unknown, and why. */
export interface OpenQuestion {
  readonly host: string
  readonly type: TypeName
  readonly reason: NoAnswer["reason"]
}

/** What a server holds as a view of the zone, its hosts relative to the domain. */
export const viewOf = (
  server: NameServer,
  held: ReadonlyArray<Held>,
  { domain, zone }: { readonly domain: DomainName; readonly zone: DomainName }
): ServerView => ({
  server,
  zone: { name: zone, basis: "public_dns", records: zoneRecords(held, domain) },
  open: held.flatMap(({ name, records, type }) =>
    Either.match(records, {
      onLeft: ({ reason }) => hostsOf(name, type, domain).map((host) => ({ host, type, reason })),
      onRight: () => []
    })
  )
})
