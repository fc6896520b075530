import { type Message, nameError, noError, type Question, type ResourceRecord } from "../dns/wire/Message.ts"
import { isAtOrBelow } from "../domain/names/DomainName.ts"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import { parseContent } from "../providers/writing/recordContent.ts"

/** A zone as one of its name servers shows it. */
interface ShownZone {
  readonly zone: string
  readonly sets: ReadonlyArray<TestRecordSet>
}

/**
 * The answer of a name server of a zone (RFC 1034 section 4.3.2): records, a referral to the servers of a zone below, or
 * that there are none, with the SOA that proves it. `flatten` finds the addresses of the target of an alias at the apex.
 */
export const answerQuestion = (
  { sets, zone }: ShownZone,
  { name, type }: Question,
  flatten: (target: string, type: string) => ReadonlyArray<string>
): Message => {
  const namesAt = new Set(sets.map(({ name }) => name))
  const cut = sets.find((set) => set.type === "NS" && set.name !== zone && isAtOrBelow(name, set.name))
  if (cut !== undefined) return { ...emptyMessage, authorities: toRecords(cut, cut.name) }
  const exists = sets.some((set) => isAtOrBelow(set.name, name))
  const owner = exists ? name : findWildcard(name, zone, namesAt)
  if (owner === undefined) return { ...emptyMessage, aa: true, rcode: nameError, authorities: [soaOf(zone)] }
  const atName = sets.filter((set) => set.name === owner)
  const answers = atName
    .filter((set) => set.type === type || set.type === "CNAME")
    .flatMap((set) => toRecords(set, name))
  const flattened = atName
    .filter((set) => set.type === "ALIAS")
    .flatMap(({ records, ttl }) =>
      records.flatMap(({ content }) =>
        flatten(content.replace(/\.$/, ""), type).map((value): ResourceRecord => ({ name, type, ttl, value }))
      )
    )
  const found = [...answers, ...flattened]
  return { ...emptyMessage, aa: true, answers: found, authorities: found.length === 0 ? [soaOf(zone)] : [] }
}

/** The wildcard below the closest name that exists (RFC 4592 section 3.3.1). */
const findWildcard = (name: string, zone: string, namesAt: ReadonlySet<string>): string | undefined => {
  const labels = name.split(".")
  for (let depth = 1; depth < labels.length; depth += 1) {
    const above = labels.slice(depth).join(".")
    if (!isAtOrBelow(above, zone)) return undefined
    if (namesAt.has(`*.${above}`)) return `*.${above}`
    if ([...namesAt].some((existing) => isAtOrBelow(existing, above))) return undefined
  }
  return undefined
}

const toRecords = ({ records, ttl, type }: TestRecordSet, name: string): ReadonlyArray<ResourceRecord> =>
  records.map(({ content }) => ({ name, ttl, ...parseContent(type, content) }))

/** The SOA of a zone (RFC 1035 section 3.3.13), whose numbers nobody reads. */
export const soaOf = (zone: string): ResourceRecord => ({
  name: zone,
  type: "SOA",
  ttl: 300,
  value: `ns1.${zone} hostmaster.${zone} 1 3600 600 86400 300`
})

/** A response without records. */
export const emptyMessage: Message = {
  rcode: noError,
  aa: false,
  tc: false,
  ra: false,
  answers: [],
  authorities: [],
  additionals: []
}
