import { Schema } from "effect"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent, toContentWithPriority } from "../../writing/recordContent.ts"
import { type CheckRecord, makeTypeCheck, refuseUnseenValues } from "../../writing/requireStorable.ts"

/** A record as IONOS shows it: its name is absolute, without a final dot, and so are targets. */
export const IonosRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  /** A text is in quotes here, and without them in a request. */
  content: Schema.String,
  /** Seconds. */
  ttl: Schema.Number,
  /** Of an MX or SRV. */
  prio: Schema.optional(Schema.NullOr(Schema.Number)),
  disabled: Schema.optional(Schema.NullOr(Schema.Boolean))
})
export type IonosRecord = typeof IonosRecord.Type

export const toZoneRecord = ({
  content,
  name,
  prio,
  ttl,
  type
}: IonosRecord): Omit<ZoneRecord, "host"> & { readonly name: string } => ({
  name,
  ttl,
  ...parseContent(type, toContentWithPriority(type, content, prio))
})

/** What a request may change of a record; its name and type stay. */
export const toChangedRecord = ({ priority, ttl, value }: RecordAtName) => ({
  content: value,
  ttl,
  ...(priority === undefined ? {} : { prio: priority }),
  disabled: false
})

/** What a request says to create a record. */
export const toNewRecord = (record: RecordAtName) => ({
  name: record.name,
  type: record.type,
  ...toChangedRecord(record)
})

/** Why a record cannot be stored: the document's types with a known form; the SOA is the vendor's own. */
export const makeIonosCheck = (provider: string): CheckRecord =>
  makeTypeCheck(provider, "A AAAA CAA CNAME MX NS SRV TXT", refuseUnseenValues(provider))
