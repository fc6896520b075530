import {
  type DescribedCall,
  keepRecord,
  refuseConflicts,
  type VendorDescription,
  type ZoneAnswer
} from "./DescribedVendor.ts"
import type { VendorAnswer } from "./VendorCall.ts"
import type { EnteredRecord, LabFields, VendorRecord } from "./VendorZones.ts"

/** How a vendor writes single records, each of which a path names by its id. */
interface SingleRecordRules<Data> {
  /** The parameter of the path that has the id. */
  readonly id: string
  /** What a path has for the id of the fake; without it, the id itself. */
  readonly showId?: (id: string) => string
  /** The record that a call names, in place of `before` if it replaces one. */
  readonly read: (call: DescribedCall, before?: VendorRecord<Data>) => NamedRecord
  readonly noRecord: VendorAnswer
  /** The vendor refuses the same record twice. */
  readonly refusesDuplicates?: boolean
  /** Whether a record can stand in the way of another one; without it, each can. */
  readonly isBeside?: (record: VendorRecord<Data>) => boolean
  /** The refusal of a record beside others, where the vendor has other rules than DNS. */
  readonly refuseBeside?: (
    record: EnteredRecord<Data>,
    others: ReadonlyArray<VendorRecord<Data>>
  ) => VendorAnswer | undefined
  /** The refusal of a call that would change or remove a record, if it may not. */
  readonly refuseChange?: (before: VendorRecord<Data>, call: DescribedCall) => VendorAnswer | undefined
}

/** Where a record stands, and its fields in the words of the vendor. */
interface NamedRecord {
  readonly place: Omit<EnteredRecord<unknown>, "data">
  readonly fields: LabFields
}

type SingleRecordOperation<Data> = (call: DescribedCall, records: ReadonlyArray<VendorRecord<Data>>) => ZoneAnswer<Data>

/** The operations of a vendor on single records, for `inZoneOf`; each is given the answer to a call that succeeds. */
export const singleRecordOperations = <Data>(vendor: () => VendorDescription<Data>, rules: SingleRecordRules<Data>) => {
  const { id: parameter, isBeside = () => true, noRecord, read, refuseChange, showId = (id) => id } = rules
  const { refuseBeside = (record, others) => refuseConflicts(vendor(), others.filter(isBeside), [record], rules) } =
    rules
  const findIn = (records: ReadonlyArray<VendorRecord<Data>>, { pathParameters }: DescribedCall) =>
    records.find(({ id }) => showId(id) === pathParameters[parameter])
  const keep = (
    call: DescribedCall,
    others: ReadonlyArray<VendorRecord<Data>>,
    before?: VendorRecord<Data>
  ): { readonly record: EnteredRecord<Data> } | { readonly refusal: VendorAnswer } => {
    const { fields, place } = read(call, before)
    const record = keepRecord<Data>(vendor(), place, fields, call.zone)
    if (typeof record === "string") return { refusal: vendor().refuse("invalid", record) }
    const refusal = refuseBeside(record, others)
    return refusal === undefined ? { record } : { refusal }
  }

  /** Finds the record that a call names, and what else the zone has. */
  const withRecord =
    (
      operate: (
        before: VendorRecord<Data>,
        others: ReadonlyArray<VendorRecord<Data>>,
        call: DescribedCall,
        records: ReadonlyArray<VendorRecord<Data>>
      ) => ZoneAnswer<Data>
    ): SingleRecordOperation<Data> =>
    (call, records) => {
      const before = findIn(records, call)
      if (before === undefined) return noRecord
      const others = records.filter((record) => record !== before)
      return refuseChange?.(before, call) ?? operate(before, others, call, records)
    }

  return {
    find:
      (show: (record: VendorRecord<Data>, zone: string) => unknown): SingleRecordOperation<Data> =>
      (call, records) => {
        const found = findIn(records, call)
        return found === undefined ? noRecord : { status: 200, body: show(found, call.zone) }
      },

    create:
      (answer: VendorAnswer): SingleRecordOperation<Data> =>
      (call, records) => {
        const kept = keep(call, records)
        return "refusal" in kept ? kept.refusal : { ...answer, records: [...records, kept.record] }
      },

    replace: (answer: VendorAnswer): SingleRecordOperation<Data> =>
      withRecord((before, others, call, records) => {
        const kept = keep(call, others, before)
        if ("refusal" in kept) return kept.refusal
        const after = { ...kept.record, id: before.id }
        return { ...answer, records: records.map((record) => (record === before ? after : record)) }
      }),

    remove: (answer: VendorAnswer): SingleRecordOperation<Data> =>
      withRecord((_, others) => ({ ...answer, records: others }))
  }
}
