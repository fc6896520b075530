import { Array, Either, Option } from "effect"
import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import { WireReader } from "../../../dns/wire/WireReader.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import { apexHost, toFqdn } from "../../../domain/names/DomainName.ts"
import { type LongComputation, visitEach } from "../../../runtime/LongComputation.ts"
import type { Change, ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { Zone, ZoneLocation } from "../../../domain/plan/Zone.ts"
import { decodeRecordData, encodeRecordData, typeCodeOf, typeNameOf } from "../../../domain/records/dnsTypes.ts"
import { isRecordType } from "../../../domain/records/recordTypes.ts"
import { makeZoneContextFinder } from "../../../planning/zone/zoneContext.ts"
import type { ProviderError } from "../../ProviderError.ts"
import { ProviderFailure, type ZoneChanged } from "../../ProviderFailure.ts"
import { findAffectedNames, findHostsInDomain, findRemovedRecords } from "../../writing/AffectedNames.ts"
import { isRRsetTooLarge, makeZoneTooLarge, maxZoneRecords, minDataLengthOf } from "../../zoneLimits.ts"
import { encodeUpdate, isUserRecordType, type ZoneUpdate } from "./encodeUpdate.ts"

/** The records of a zone as they were transferred, and those at and below the domain that a user wrote. */
export interface TransferredZone {
  readonly rawByName: ReadonlyMap<string, ReadonlyArray<RawRecord>>
  readonly zone: Zone
  /** The transferred record of each record of `zone`. */
  readonly stored: ReadonlyMap<ZoneRecord, RawRecord>
}

/** Decodes all records; an RRset that no DNS message can hold makes the zone too large. */
export function* toTransferredZone(
  raw: ReadonlyArray<RawRecord>,
  location: ZoneLocation
): LongComputation<Either.Either<TransferredZone, ProviderError>> {
  if (raw.length > maxZoneRecords) return Either.left(makeZoneTooLarge(`more than ${maxZoneRecords} records`))
  const rawByName = new Map<string, Array<RawRecord>>()
  yield* visitEach(raw, (record) => {
    const known = rawByName.get(record.name)
    if (known === undefined) rawByName.set(record.name, [record])
    else known.push(record)
  })
  const stored = new Map<ZoneRecord, RawRecord>()
  const zoneContext = makeZoneContextFinder(location)
  for (const [name, records] of rawByName) {
    for (const [code, rrset] of Map.groupBy(records.filter(isUserRecord), ({ code }) => code)) {
      const type = typeNameOf(code)
      const tooLarge = () => makeZoneTooLarge(`no DNS message can hold the ${rrset.length} records of ${type} ${name}`)
      if (isRRsetTooLarge(rrset.length, 0)) return Either.left(tooLarge())
      const hosts = findHostsInDomain(name, type, location)
      let dataLength = 0
      yield* visitEach(rrset, (record) => {
        const data = { type, ...decodeData(type, record.data) }
        dataLength += minDataLengthOf(data)
        for (const host of hosts) stored.set({ host, ttl: record.ttl, ...data }, record)
        zoneContext.add(name, { ttl: record.ttl, ...data })
      })
      if (isRRsetTooLarge(rrset.length, dataLength)) return Either.left(tooLarge())
      yield
    }
  }
  return Either.right({
    rawByName,
    stored,
    zone: {
      name: location.zone,
      basis: "provider",
      records: [...stored.keys()],
      ...zoneContext.find()
    }
  })
}

const isUserRecord = ({ code }: RawRecord): boolean => isUserRecordType(code)

const decodeData = (type: string, data: Uint8Array) => decodeRecordData(new WireReader(data), type, data.length)

export interface PlannedUpdate {
  readonly changes: ReadonlyArray<Change>
  readonly update: ZoneUpdate
}

/** Plans the updates that make the changes: one, or more if they do not fit in one message. */
export const planUpdates = (
  { rawByName, stored, zone }: TransferredZone,
  changes: ReadonlyArray<Change>,
  location: ZoneLocation
): Either.Either<ReadonlyArray<PlannedUpdate>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const addedBy = ({ after }: Change) =>
      Either.all((after === undefined ? [] : [after]).map((record) => toRawRecord(record, location)))
    const removedBy = yield* findRemovedRecords(zone, changes)
    const edits = yield* Either.all(
      changes.map((change) => {
        const removed = (removedBy.get(change) ?? []).flatMap((record) => stored.get(record) ?? [])
        return Either.map(addedBy(change), (added) => ({ change, removed, added }))
      })
    )
    const { above, at } = findAffectedNames(changes, location)
    const raw = [...at.union(above)].flatMap((name) => rawByName.get(name) ?? [])
    const names = new Set(edits.flatMap(({ added, removed }) => [...removed, ...added]).map(({ name }) => name))
    const conflictingAlias = findConflictingAlias(applyEdits(raw, edits).filter(({ name }) => names.has(name)))
    if (conflictingAlias !== undefined) {
      return yield* fail("apply_rejected", `${conflictingAlias} would have an alias and other records`)
    }
    return edits.length === 0 ? [] : yield* splitIntoUpdates(edits, raw, location)
  })

export const checkRecord = (record: ChangeRecord, location: ZoneLocation): Option.Option<ProviderFailure> =>
  Either.getLeft(toRawRecord(record, location))

const toRawRecord = (
  { host, ttl, type, ...data }: ChangeRecord,
  { domain, zone }: ZoneLocation
): Either.Either<RawRecord, ProviderFailure> => {
  if (!isRecordType(type)) return fail("record_type_unsupported", `records of type ${type} cannot be written`)
  if (type === "CNAME" && host === apexHost && domain === zone) {
    return fail("apex_cname_unsupported", "a CNAME cannot be stored beside the SOA and NS records of the apex")
  }
  const name = toFqdn(host, domain)
  return Either.right({ name, code: typeCodeOf(type), ttl, data: encodeRecordData({ ...data, type }) })
}

const fail = (code: ProviderFailure["code"], detail: string) => Either.left(new ProviderFailure({ code, detail }))

/** One change with the records that it removes and adds. */
interface RecordEdit {
  readonly change: Change
  readonly removed: ReadonlyArray<RawRecord>
  readonly added: ReadonlyArray<RawRecord>
}

const applyEdits = (current: ReadonlyArray<RawRecord>, edits: ReadonlyArray<RecordEdit>): ReadonlyArray<RawRecord> => {
  const removed = new Set(edits.flatMap((edit) => edit.removed))
  return [...current.filter((record) => !removed.has(record)), ...edits.flatMap((edit) => edit.added)]
}

/** Finds a name with an alias and other records, which a server silently ignores (RFC 2136 section 3.4.2.2). */
const findConflictingAlias = (records: ReadonlyArray<RawRecord>): string | undefined => {
  const aliases = new Set(records.filter(({ code }) => code === typeCodeOf("CNAME")).map(({ name }) => name))
  const atAliases = Map.groupBy(
    records.filter(({ code, name }) => aliases.has(name) && isUserRecordType(code)),
    ({ name }) => name
  )
  return [...atAliases].find(([, atAlias]) => atAlias.length > 1)?.[0]
}

/** Halves what does not fit in one message; the second half is written to the zone that the first one leaves. */
const splitIntoUpdates = (
  edits: ReadonlyArray<RecordEdit>,
  current: ReadonlyArray<RawRecord>,
  location: ZoneLocation
): Either.Either<ReadonlyArray<PlannedUpdate>, ProviderFailure> => {
  const changes = edits.map(({ change }) => change)
  const removed = edits.flatMap((edit) => edit.removed)
  const added = edits.flatMap((edit) => edit.added)
  const update = {
    zone: location.zone,
    current,
    affected: findAffectedNames(changes, location),
    removed,
    added
  }
  if (encodeUpdate(0, update).length <= maxMessage) return Either.right([{ changes, update }])
  if (edits.length === 1) return fail("record_value_rejected", "the RRset of the record is too large")
  const [first, second] = Array.splitAt(edits, Math.ceil(edits.length / 2))
  return Either.zipWith(
    splitIntoUpdates(first, current, location),
    splitIntoUpdates(second, applyEdits(current, first), location),
    (firstUpdates, secondUpdates) => [...firstUpdates, ...secondUpdates]
  )
}

/** A message has 65,535 bytes at most; its signature takes less than 400. */
const maxMessage = 65_000
