import { Either } from "effect"
import { type DomainName, hostsAffectedBy } from "../../domain/DomainName.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { NoAnswer } from "../transport/Query.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import type { NameServer } from "./NameServer.ts"
import { mergeZoneRecords, type RRsetAnswer } from "./RRsetAnswer.ts"

/** A zone as one server shows it: the records that it answered with, and the RRsets that remain unknown. */
export interface ServerView {
  readonly server: NameServer
  readonly zone: Zone
  readonly unknownRRsets: ReadonlyArray<UnknownRRset>
}

/** It is unknown whether the host has records of the type; `reason` says why. */
export interface UnknownRRset {
  readonly host: string
  readonly type: RecordTypeName
  readonly reason: NoAnswer["reason"]
}

/** Makes a view of the zone from the answers of a server, with hosts relative to the domain. */
export const toServerView = (
  server: NameServer,
  answers: ReadonlyArray<RRsetAnswer>,
  { domain, zone }: { readonly domain: DomainName; readonly zone: DomainName }
): ServerView => ({
  server,
  zone: { name: zone, basis: "public_dns", records: mergeZoneRecords(answers, domain) },
  unknownRRsets: answers.flatMap(({ name, records, type }) =>
    Either.match(records, {
      onLeft: ({ reason }) => hostsAffectedBy(name, type, domain).map((host) => ({ host, type, reason })),
      onRight: () => []
    })
  )
})
