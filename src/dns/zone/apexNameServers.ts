import type { Message, ResourceRecord } from "../wire/Message.ts"

/**
 * The NS records at the apex. A server that shows an alias or the SOA in their place has the zone too; then the name
 * servers are those of the delegation.
 */
export const listChildNameServers = (
  { answers, authorities }: Message,
  zone: string,
  delegated: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const nameServers = nameServersOf(zone, answers)
  const isServed = [...answers, ...authorities].some(
    ({ name, type }) => name === zone && (type === "CNAME" || type === "SOA")
  )
  return nameServers.length === 0 && isServed ? delegated : nameServers
}

/** The name servers of a zone by its NS records, each once, in order. */
export const nameServersOf = (zone: string, records: ReadonlyArray<ResourceRecord>): ReadonlyArray<string> =>
  sortNames(records.filter(({ name, type }) => type === "NS" && name === zone).map(({ value }) => value))

/** Names in order, each once. */
export const sortNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()
