import { type CloudflareError, type StoredCloudflareRecord, toId, toStoredRecord } from "./storedCloudflareRecords.ts"

/** A zone as far as writes depend on it. */
export interface CloudflareZoneContent {
  /** As it is listed: in Unicode. */
  readonly name: string
  readonly plan: "free" | "pro" | "enterprise"
  /** In the order in which they were created. */
  readonly records: ReadonlyArray<StoredCloudflareRecord>
}

/** What a write leaves in the zone, and what it returns. */
interface CloudflareWriteResult {
  readonly records: ReadonlyArray<StoredCloudflareRecord>
  readonly nextId: number
  readonly result: unknown
}

type CloudflareWrite = (
  zone: CloudflareZoneContent,
  nextId: number,
  body: any
) => CloudflareWriteResult | CloudflareError

export const createRecord: CloudflareWrite = (zone, nextId, body) => {
  const record = toStoredRecord(toId(nextId), body, { zone: zone.name, plan: zone.plan, others: zone.records })
  return "code" in record ? record : { records: [...zone.records, record], nextId: nextId + 1, result: record }
}

/** Replaces a record, so that comment, tags and settings that are not named are lost; or merges what is named into it. */
export const changeRecord = (
  zone: CloudflareZoneContent,
  nextId: number,
  { id, ...body }: any,
  how: "replace" | "merge"
): CloudflareWriteResult | CloudflareError => {
  const before = zone.records.find((record) => record.id === id)
  if (before === undefined) return recordAbsent
  if (before.meta.read_only === true) return readOnly
  const others = zone.records.filter((record) => record !== before)
  const named = how === "merge" ? { ...before, ...body, settings: { ...before.settings, ...body.settings } } : body
  const after = toStoredRecord(id, named, { zone: zone.name, plan: zone.plan, others })
  if ("code" in after) return after
  return { records: zone.records.map((record) => (record === before ? after : record)), nextId, result: after }
}

export const deleteRecord: CloudflareWrite = (zone, nextId, { id }) => {
  const before = zone.records.find((record) => record.id === id)
  if (before === undefined) return recordAbsent
  if (before.meta.read_only === true) return readOnly
  return { records: zone.records.filter((record) => record !== before), nextId, result: before }
}

const recordAbsent: CloudflareError = { code: 81_044, message: "Record does not exist." }

const readOnly: CloudflareError = { code: 1043, message: "This record is managed by Cloudflare." }

/** One transaction, always in this order (npm cloudflare 7.3.0, `records.batch`). */
export const applyBatch: CloudflareWrite = (zone, nextId, body) => {
  const [deletes = [], patches = [], puts = [], posts = []] = [body.deletes, body.patches, body.puts, body.posts]
  const limit = zone.plan === "free" ? 200 : 3500
  if ([deletes, patches, puts, posts].flat().length > limit)
    return { code: 1004, message: `A batch may have at most ${limit} changes.` }
  const writes: ReadonlyArray<readonly [key: string, write: CloudflareWrite, bodies: ReadonlyArray<any>]> = [
    ["deletes", deleteRecord, deletes],
    ["patches", (...parameters) => changeRecord(...parameters, "merge"), patches],
    ["puts", (...parameters) => changeRecord(...parameters, "replace"), puts],
    ["posts", createRecord, posts]
  ]
  let current = { zone, nextId }
  const result: Record<string, Array<unknown>> = {}
  for (const [key, write, bodies] of writes)
    for (const one of bodies) {
      const outcome = write(current.zone, current.nextId, one)
      if ("code" in outcome) return outcome
      current = { zone: { ...zone, records: outcome.records }, nextId: outcome.nextId }
      result[key] = [...(result[key] ?? []), outcome.result]
    }
  return { records: current.zone.records, nextId: current.nextId, result }
}
