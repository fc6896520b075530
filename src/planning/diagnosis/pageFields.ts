import { Array, Order } from "effect"
import type { Diagnosis } from "../../domain/plan/Diagnosis.ts"
import type { ManualField } from "../../domain/plan/ManualGuide.ts"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { normalizeValue } from "../../domain/records/recordTypes.ts"

/** A field of the provider's page, and exactly what it takes. */
export type PageField = Pick<ManualField, "field" | "value">

interface DesiredOnPage {
  readonly desired: DnsRecord
  readonly fieldsOf: (record: DnsRecord) => ReadonlyArray<PageField>
}

/** What the field takes for the desired record, if the page has it. */
export const contentOf = ({ desired, fieldsOf }: DesiredOnPage, field: PageField["field"]): string | undefined =>
  fieldsOf(desired).find((other) => other.field === field)?.value

/** Sorts the records by how many fields of the page differ from those of the desired one, the fewest first. */
export const sortByDifference = (page: DesiredOnPage, records: ReadonlyArray<ZoneRecord>): ReadonlyArray<ZoneRecord> =>
  Array.sortWith(records, (record) => listDifferent(page, record).length, Order.number)

/** The field that makes the record the desired one, and what it takes; nothing where its type or several fields differ. */
export const findFieldToChange = (page: DesiredOnPage, record: ZoneRecord): Pick<Diagnosis, "copy" | "field"> => {
  if (record.type !== page.desired.type) return {}
  const [only, ...others] = listDifferent(page, record)
  return only === undefined || others.length > 0 ? {} : { copy: only.value, field: only.field }
}

const listDifferent = (page: DesiredOnPage, { priority, type, value }: ZoneRecord) => {
  const { desired } = page
  const wanted = listDataFields(page, desired)
  if (type !== desired.type) return wanted
  const shown = listDataFields(page, {
    ...desired,
    value: normalizeValue(type, value),
    ...(priority === undefined ? {} : { priority })
  })
  return wanted.filter(({ field, value: content }) =>
    shown.every((other) => other.field !== field || other.value !== content)
  )
}

/** The fields that hold the data of a record. */
const listDataFields = ({ fieldsOf }: DesiredOnPage, record: DnsRecord) =>
  fieldsOf(record).flatMap(({ field, value }) => (isDataField(field) ? [{ field, value }] : []))

const isDataField = (field: string): field is (typeof dataFields)[number] => dataFields.some((data) => data === field)

const dataFields = ["value", "priority", "weight", "port", "target"] as const
