import type { LabQuestion, Rcode, LabRecord } from "./packet.ts"
import { qualify, qualifyData, tokensOf } from "./rdata.ts"
import { absolute, labelsOf } from "./wireFormat.ts"

/** The records of a zone by lower-case owner name; all names are absolute. */
export interface LabZone {
  readonly origin: string
  readonly owners: ReadonlyMap<string, ReadonlyArray<LabRecord>>
}

/** The response of a server, without id and question. */
export interface Reply {
  readonly rcode: Rcode
  readonly authoritative: boolean
  readonly truncated?: boolean
  readonly recursionAvailable?: boolean
  readonly answers: ReadonlyArray<LabRecord>
  readonly authority: ReadonlyArray<LabRecord>
  readonly additional: ReadonlyArray<LabRecord>
}

export const replyOf = (rcode: Rcode, more: Partial<Reply> = {}): Reply => ({
  rcode,
  authoritative: false,
  answers: [],
  authority: [],
  additional: [],
  ...more
})

/**
 * Parses a zone from lines `owner [ttl] type data` as in a zone file: `@` is the origin, names without a final dot are
 * relative to it, `;` starts a comment line. A missing SOA is added; the default TTL is 300 s.
 */
export const parseZone = (name: string, text: string): LabZone => {
  const origin = absolute(name)
  const records = text.split("\n").flatMap((line) => parseLine(line, origin))
  const hasSoa = records.some(({ type }) => type === "SOA")
  return zoneOf(
    origin,
    hasSoa ? records : [...parseLine("@ SOA ns1 hostmaster 1 7200 3600 1209600 300", origin), ...records]
  )
}

export const recordsOf = (zone: LabZone): ReadonlyArray<LabRecord> => [...zone.owners.values()].flat()

/** The zone with these records added. */
export const withRecords = (zone: LabZone, records: ReadonlyArray<LabRecord>): LabZone =>
  zoneOf(zone.origin, [...recordsOf(zone), ...records])

/** The zone with the RRset replaced by `values`; empty values delete it. */
export const withRRset = (
  zone: LabZone,
  owner: string,
  type: string,
  values: ReadonlyArray<string>,
  ttl = 300
): LabZone => {
  const name = qualify(owner, zone.origin)
  const others = recordsOf(zone).filter((record) => !(sameName(record.name, name) && record.type === type))
  const set = values.map((value) => ({ name, type, ttl, data: qualifyData(type, value, zone.origin) }))
  return zoneOf(zone.origin, [...others, ...set])
}

/** Whether the name is the origin or below it. */
export const isSubdomainOf = (origin: string, name: string): boolean =>
  origin === "." || absolute(name).toLowerCase() === origin || absolute(name).toLowerCase().endsWith(`.${origin}`)

/** The deepest zone that contains the name. */
export const closestEnclosingZone = (zones: Iterable<LabZone>, name: string): LabZone | undefined =>
  [...zones]
    .filter(({ origin }) => isSubdomainOf(origin, name))
    .reduce<LabZone | undefined>(
      (best, zone) => (best && best.origin.length >= zone.origin.length ? best : zone),
      undefined
    )

/** Answers like an authoritative server (RFC 1034 section 4.3.2, RFC 4592); follows CNAMEs inside the zone. */
export const answerFromZone = (zone: LabZone, { name, type }: Pick<LabQuestion, "name" | "type">): Reply => {
  const chain: Array<LabRecord> = []
  for (let owner = name; ;) {
    const reply = lookUp(zone, owner, type)
    const alias = reply.answers.find((record) => record.type === "CNAME" && type !== "CNAME" && type !== "ANY")
    if (alias === undefined)
      return { ...reply, authoritative: reply.authoritative || chain.length > 0, answers: [...chain, ...reply.answers] }
    const isLoop = chain.some((record) => sameName(record.name, alias.name))
    if (!isLoop) chain.push(alias)
    if (isLoop || !isSubdomainOf(zone.origin, alias.data)) return { ...reply, answers: chain }
    owner = alias.data
  }
}

const lookUp = (zone: LabZone, name: string, type: string): Reply => {
  const cut = ancestors(name, zone).find((owner) => owner !== zone.origin && recordsAt(zone, owner, "NS").length > 0)
  const isAtParent = type === "DS" && cut !== undefined && sameName(cut, name)
  if (cut !== undefined && !isAtParent) return referral(zone, cut)
  const source = sourceOf(zone, name)
  const authority = recordsAt(zone, zone.origin, "SOA")
  if (source === undefined) return replyOf("NXDOMAIN", { authoritative: true, authority })
  const aliases = type === "CNAME" || type === "ANY" ? [] : recordsAt(zone, source, "CNAME")
  const sourceRecords = [...recordsAt(zone, source, type), ...aliases]
  const answers = sourceRecords.map((record) => ({ ...record, name: absolute(name) }))
  return replyOf("NOERROR", { authoritative: true, answers, authority: answers.length > 0 ? [] : authority })
}

const referral = (zone: LabZone, cut: string): Reply => {
  const authority = recordsAt(zone, cut, "NS")
  const additional = authority.flatMap(({ data }) => [...recordsAt(zone, data, "A"), ...recordsAt(zone, data, "AAAA")])
  return replyOf("NOERROR", { authority, additional })
}

/** The owner whose records answer for the name: the name itself, or the wildcard at its closest encloser. */
const sourceOf = (zone: LabZone, name: string): string | undefined => {
  const existing = ancestors(name, zone).filter((owner) => exists(zone, owner))
  const encloser = existing.at(-1) ?? zone.origin
  if (sameName(encloser, name)) return encloser
  const wildcard = `*.${encloser === "." ? "" : encloser}`
  return exists(zone, wildcard) ? wildcard : undefined
}

/** A name exists when it has records or when a name below it has (an empty non-terminal). */
const exists = (zone: LabZone, name: string): boolean =>
  [...zone.owners.keys()].some((owner) => owner === name || owner.endsWith(`.${name}`))

/** The names from the origin down to the name, lower case. */
const ancestors = (name: string, zone: LabZone): ReadonlyArray<string> => {
  const labels = labelsOf(name.toLowerCase())
  const depth = labelsOf(zone.origin).length
  return Array.from({ length: labels.length - depth + 1 }, (_, below) =>
    absolute(labels.slice(labels.length - depth - below).join("."))
  )
}

const recordsAt = (zone: LabZone, owner: string, type: string): ReadonlyArray<LabRecord> =>
  (zone.owners.get(absolute(owner).toLowerCase()) ?? []).filter((record) => type === "ANY" || record.type === type)

const sameName = (a: string, b: string): boolean => absolute(a).toLowerCase() === absolute(b).toLowerCase()

const zoneOf = (name: string, records: ReadonlyArray<LabRecord>): LabZone => ({
  origin: name.toLowerCase(),
  owners: Map.groupBy(records, (record) => record.name.toLowerCase())
})

const parseLine = (line: string, origin: string): ReadonlyArray<LabRecord> => {
  const [owner, ...words] = tokensOf(line)
  if (owner === undefined || owner.startsWith(";")) return []
  const ttl = /^\d+$/.test(words[0] ?? "") ? Number(words.shift()) : 300
  const [type = "", ...data] = words
  return [{ name: qualify(owner, origin), type, ttl, data: qualifyData(type, data.join(" "), origin) }]
}

/** Formats these lines as a zone file for BIND and Knot. */
export const zoneFile = (name: string, lines: string): string =>
  recordsOf(parseZone(name, lines))
    .map((record) => `${record.name} ${record.ttl} ${record.type} ${record.data}\n`)
    .join("")
