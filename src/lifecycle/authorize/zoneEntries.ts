import { type DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { ZoneEntry } from "../../domainConnect/resolveTemplate.ts"

/** A record of an intent, a plan or a zone. */
export interface AnyRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly ttl: number
  readonly priority?: number | undefined
}

/** A record as the room of Domain Connect takes it. */
export const toZoneEntry = ({ host, priority, ttl, type, value }: AnyRecord, domain: DomainName): ZoneEntry => {
  const [weight, port, target = ""] = type === "SRV" ? value.split(" ") : []
  return {
    type,
    name: toFqdn(host, domain),
    ttl,
    data: type === "SRV" ? target : value,
    ...(priority === undefined ? {} : { priority }),
    ...(type === "SRV" ? { weight: Number(weight), port: Number(port) } : {})
  }
}
