import { Array, Either, Option } from "effect"
import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import { WireReader } from "../../../dns/wire/WireReader.ts"
import { decodeRecordData } from "../../../dns/wire/decodeRecordData.ts"
import { encodeRecordData } from "../../../dns/wire/encodeRecordData.ts"
import { typeCodeOf, typeNameOf } from "../../../dns/wire/recordTypes.ts"
import { isRecordType, type ZoneRecord } from "../../../domain/DnsRecord.ts"
import { apexHost, toFqdn } from "../../../domain/DomainName.ts"
import type { Change, ChangeRecord } from "../../../domain/Plan.ts"
import type { Zone } from "../../../domain/Zone.ts"
import type { ZoneLocation } from "../../ProviderClient.ts"
import { ProviderFailure, type ZoneChanged } from "../../ProviderFailure.ts"
import { affectedNames, hostsInDomain, removedRecords } from "../affectedNames.ts"
import { encodeUpdate, isUserRecordType, type ZoneUpdate } from "./encodeUpdate.ts"

/** The records of a zone as they were transferred, and those at and below the domain that somebody put there. */
export interface TransferredZone {
  readonly raw: ReadonlyArray<RawRecord>
  readonly zone: Zone
  /** What each record of the zone is made from. */
  readonly stored: ReadonlyMap<ZoneRecord, RawRecord>
}

export const toTransferredZone = (raw: ReadonlyArray<RawRecord>, place: ZoneLocation): TransferredZone => {
  const stored = new Map<ZoneRecord, RawRecord>(
    raw
      .filter(({ code }) => isUserRecordType(code))
      .flatMap((record) => {
        const type = typeNameOf(record.code)
        const hosts = hostsInDomain(record.name, type, place)
        return hosts.map((host) => [{ host, type, ttl: record.ttl, ...dataOf(type, record.data) }, record] as const)
      })
  )
  return { raw, stored, zone: { name: place.zone, basis: "provider", records: [...stored.keys()] } }
}

const dataOf = (type: string, data: Uint8Array) => decodeRecordData(new WireReader(data), type, data.length)

/** Changes that fit in one message together. */
export interface PlannedUpdate {
  readonly changes: ReadonlyArray<Change>
  readonly update: ZoneUpdate
}

/** The updates that make the changes: one, or as many as it takes for each to fit in a message. */
export const planUpdates = (
  { raw, stored, zone }: TransferredZone,
  changes: ReadonlyArray<Change>,
  place: ZoneLocation
): Either.Either<ReadonlyArray<PlannedUpdate>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const comingBy = ({ after }: Change) =>
      Either.all((after === undefined ? [] : [after]).map((record) => rawRecord(record, place)))
    const departed = yield* removedRecords(zone, changes)
    const steps = yield* Either.all(
      changes.map((change) => {
        const going = (departed.get(change) ?? []).flatMap((record) => stored.get(record) ?? [])
        return Either.map(comingBy(change), (coming) => ({ change, going, coming }))
      })
    )
    const touched = new Set(steps.flatMap(({ coming, going }) => [...going, ...coming]).map(({ name }) => name))
    const crowded = crowdedAlias(afterSteps(raw, steps).filter(({ name }) => touched.has(name)))
    if (crowded !== undefined) return yield* refuse("apply_rejected", `${crowded} would be an alias and something else`)
    return steps.length === 0 ? [] : yield* divided(steps, raw, place)
  })

/** Why a record cannot be in a zone that is written so. */
export const checkRecord = (record: ChangeRecord, place: ZoneLocation): Option.Option<ProviderFailure> =>
  Either.getLeft(rawRecord(record, place))

const rawRecord = (
  { host, ttl, type, ...data }: ChangeRecord,
  { domain, zone }: ZoneLocation
): Either.Either<RawRecord, ProviderFailure> => {
  if (!isRecordType(type)) return refuse("record_type_unsupported", `${type} is not written`)
  if (type === "CNAME" && host === apexHost && domain === zone) {
    return refuse("apex_cname_unsupported", "beside the SOA and NS of the apex no CNAME can stand")
  }
  const name = toFqdn(host, domain)
  return Either.right({ name, code: typeCodeOf(type), ttl, data: encodeRecordData({ ...data, type }) })
}

const refuse = (code: ProviderFailure["code"], detail: string) => Either.left(new ProviderFailure({ code, detail }))

interface Step {
  readonly change: Change
  readonly going: ReadonlyArray<RawRecord>
  readonly coming: ReadonlyArray<RawRecord>
}

const afterSteps = (standing: ReadonlyArray<RawRecord>, steps: ReadonlyArray<Step>): ReadonlyArray<RawRecord> => {
  const going = new Set(steps.flatMap((step) => step.going))
  return [...standing.filter((record) => !going.has(record)), ...steps.flatMap((step) => step.coming)]
}

/** A server leaves out without a word what cannot stand beside an alias (RFC 2136 section 3.4.2.2). */
const crowdedAlias = (records: ReadonlyArray<RawRecord>): string | undefined => {
  const aliases = new Set(records.filter(({ code }) => code === typeCodeOf("CNAME")).map(({ name }) => name))
  const atAliases = Map.groupBy(
    records.filter(({ code, name }) => aliases.has(name) && isUserRecordType(code)),
    ({ name }) => name
  )
  return [...atAliases].find(([, there]) => there.length > 1)?.[0]
}

/** What does not fit in one message is halved; the second half is written to what the first one leaves. */
const divided = (
  steps: ReadonlyArray<Step>,
  standing: ReadonlyArray<RawRecord>,
  place: ZoneLocation
): Either.Either<ReadonlyArray<PlannedUpdate>, ProviderFailure> => {
  const changes = steps.map(({ change }) => change)
  const going = steps.flatMap((step) => step.going)
  const coming = steps.flatMap((step) => step.coming)
  const update = {
    zone: place.zone,
    current: standing,
    affected: affectedNames(changes, place),
    removed: going,
    added: coming
  }
  if (encodeUpdate(0, update).length <= maxMessage) return Either.right([{ changes, update }])
  if (steps.length === 1) return refuse("record_value_rejected", "the set that the record stands in is too large")
  const [first, second] = Array.splitAt(steps, Math.ceil(steps.length / 2))
  return Either.zipWith(
    divided(first, standing, place),
    divided(second, afterSteps(standing, first), place),
    (one, other) => [...one, ...other]
  )
}

/** A message has 65,535 bytes at most; its signature takes less than 400. */
const maxMessage = 65_000
