import type { DnsRecord } from "../domain/DnsRecord.ts"
import { isApex, type LiveZone } from "./LiveZone.ts"
import { type Keyed, keyOf, type Role, roleOf } from "./Role.ts"

/** A wanted record with the role it would play in the zone. */
export interface Wanted extends Keyed {
  readonly role: Role
  readonly record: DnsRecord
}

/** Finds the role of a wanted record in the zone. */
export const withRole =
  (zone: LiveZone) =>
  (record: DnsRecord): Wanted => {
    const role = roleOf(record.type, isApex(zone, record.host))
    return { record, role, key: keyOf(role, record) }
  }

/** Wanted records by host, hosts and records in the order given. */
export const byHost = (wanted: ReadonlyArray<Wanted>): ReadonlyMap<string, ReadonlyArray<Wanted>> =>
  Map.groupBy(wanted, ({ record }) => record.host)
