import { Array, Either } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { normalizeName } from "../../domain/names/DomainName.ts"
import type { Zone, ZoneLocation } from "../../domain/plan/Zone.ts"
import { makeZoneContextFinder } from "../../planning/zone/zoneContext.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import type { ProviderError } from "../ProviderError.ts"
import { isRRsetTooLarge, makeZoneTooLarge, minDataLengthOf } from "../zoneLimits.ts"
import { type AffectedNames, findHostsInDomain } from "./AffectedNames.ts"
import { parseContent } from "./recordContent.ts"

export interface RecordSet {
  /** Absolute, in the spelling of the provider, with or without a final dot. */
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly automaticTtl?: boolean
  readonly records: ReadonlyArray<SetMember>
  readonly locked?: ZoneRecord["locked"]
}

/** A record of a set, its data in presentation format as the provider writes them. */
export interface SetMember {
  readonly content: string
  /** The provider stores the record, but does not serve it. */
  readonly disabled?: boolean
}

/** The members whose content none of the others has. */
export const excludeMembers = <Member extends SetMember>(
  members: ReadonlyArray<Member>,
  others: ReadonlyArray<SetMember>
): ReadonlyArray<Member> => {
  const excluded = new Set(others.map(({ content }) => content))
  return members.filter(({ content }) => !excluded.has(content))
}

/** A record as the provider stores it: a member of a set. */
interface StoredMember<StoredSet extends RecordSet> {
  readonly member: SetMember
  readonly set: StoredSet
}

/** The sets of a zone, and its served records. */
export interface RecordSetZone<StoredSet extends RecordSet> extends StoredZone<StoredMember<StoredSet>> {
  /** By their names in normal form. */
  readonly setsByName: ReadonlyMap<string, ReadonlyArray<StoredSet>>
}

/** Parses the contents of all records; a set that no DNS message can hold makes the zone too large. */
export function* toRecordSetZone<StoredSet extends RecordSet>(
  sets: ReadonlyArray<StoredSet>,
  location: ZoneLocation
): LongComputation<Either.Either<RecordSetZone<StoredSet>, ProviderError>> {
  const setsByName = new Map<string, Array<StoredSet>>()
  const zone = makeStoredZoneBuilder<StoredMember<StoredSet>>(location)
  for (const set of sets) {
    const name = normalizeName(set.name)
    const known = setsByName.get(name)
    if (known === undefined) setsByName.set(name, [set])
    else known.push(set)
    const [served, disabled] = Array.partition(set.records, (member) => member.disabled === true)
    if (isRRsetTooLarge(served.length, 0)) return Either.left(makeZoneTooLarge(describeSet(set)))
    const { automaticTtl = false, locked, ttl, type } = set
    const common = { ttl, ...(automaticTtl ? { automaticTtl } : {}), ...(locked === undefined ? {} : { locked }) }
    let dataLength = 0
    yield* visitEach(served, (member) => {
      const data = parseContent(type, member.content)
      dataLength += minDataLengthOf(data)
      zone.add(name, { ...common, ...data }, { member, set })
    })
    for (const { content } of disabled) zone.addDisabled(name, { ttl, ...parseContent(type, content) })
    if (isRRsetTooLarge(served.length, dataLength)) return Either.left(makeZoneTooLarge(describeSet(set)))
    yield
  }
  return Either.right({ setsByName, ...zone.build() })
}

const describeSet = ({ name, records, type }: RecordSet): string =>
  `no DNS message can hold the ${records.length} records of ${type} ${name}`

/** Serializes all sets that changes at the names depend on: the same records always give the same text. */
export const serializeSetsAt = (sets: ReadonlyArray<RecordSet>, names: AffectedNames): string =>
  sets
    .filter(isAffected(names))
    .map((set) => [keyOf(set), set.ttl, ...set.records.map(serializeMember).toSorted()].join("\n"))
    .toSorted()
    .join("\n\n")

/** Whether changes at the names depend on a record or a set. */
export const isAffected =
  ({ above, at }: AffectedNames) =>
  ({ name, type }: Pick<RecordSet, "name" | "type">): boolean =>
    (at.has(normalizeName(name)) && type !== "SOA") || (above.has(normalizeName(name)) && redirects.has(type))

/** Types at a name that send the names below elsewhere. */
const redirects: ReadonlySet<string> = new Set(["NS", "DNAME"])

/** Lists the sets at the names, without reading the others. */
export const listSetsAt = <StoredSet extends RecordSet>(
  { setsByName }: RecordSetZone<StoredSet>,
  { above, at }: AffectedNames
): ReadonlyArray<StoredSet> => [...at.union(above)].flatMap((name) => setsByName.get(name) ?? [])

export const keyOf = ({ name, type }: Pick<RecordSet, "name" | "type">): string => `${normalizeName(name)} ${type}`

const serializeMember = ({ content, disabled }: SetMember): string => `${disabled === true ? "- " : "+ "}${content}`

/** A zone in the form that plans are made from, and what its provider stores for each of its records. */
export interface StoredZone<Stored> {
  readonly zone: Zone
  readonly storedOf: ReadonlyMap<ZoneRecord, Stored>
}

/** Collects the served records of a whole zone. */
interface StoredZoneBuilder<Stored> {
  /** Adds a record at a name, which is absolute and in normal form; a record outside the domain is not kept. */
  readonly add: (name: string, record: Omit<ZoneRecord, "host">, stored: Stored) => void
  /** Adds a record that the provider does not serve. */
  readonly addDisabled: (name: string, record: Omit<ZoneRecord, "host">) => void
  readonly build: () => StoredZone<Stored>
}

export const makeStoredZoneBuilder = <Stored>(location: ZoneLocation): StoredZoneBuilder<Stored> => {
  const storedOf = new Map<ZoneRecord, Stored>()
  const disabled: globalThis.Array<ZoneRecord> = []
  const zoneContext = makeZoneContextFinder(location)
  return {
    add: (name, record, stored) => {
      for (const host of findHostsInDomain(name, record.type, location)) storedOf.set({ host, ...record }, stored)
      zoneContext.add(name, record)
    },
    addDisabled: (name, record) => {
      for (const host of findHostsInDomain(name, record.type, location)) disabled.push({ host, ...record })
    },
    build: () => ({
      zone: {
        name: location.zone,
        basis: "provider",
        records: [...storedOf.keys()],
        ...(disabled.length === 0 ? {} : { disabled }),
        ...zoneContext.find()
      },
      storedOf
    })
  }
}
