import type { Message, ResourceRecord } from "../wire/Message.ts"

/** The NS records at the apex, or those of the delegation where a server shows an alias or the SOA in their place. */
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

export const sortNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].toSorted()
