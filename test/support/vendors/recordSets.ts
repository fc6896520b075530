import type { DescribedCall, ZoneAnswer } from "./DescribedVendor.ts"
import type { VendorAnswer } from "./VendorCall.ts"
import {
  type EnteredRecord,
  findConflict,
  groupIntoSets,
  toAbsoluteName,
  type VendorRecord,
  type VendorSet
} from "./VendorZones.ts"

/** Makes an operation on a set, which may be absent, from what else the zone has. */
export type SetOperation<Data> = (
  call: DescribedCall & { readonly place: Pick<EnteredRecord<unknown>, "name" | "type"> },
  set: VendorSet<Data> | undefined,
  others: ReadonlyArray<VendorRecord<Data>>
) => ZoneAnswer<Data>

/** The parameters of a path that name a set, and whether the name has to be in the stored letter case. */
interface SetPath {
  readonly name: string
  readonly type: string
  readonly comparesCase?: boolean
}

/** Makes an operation on the set that a path names, for `inZoneOf`. */
export const onSet =
  ({ comparesCase = false, name, type }: SetPath) =>
  <Data>(operation: SetOperation<Data>) =>
  (call: DescribedCall, records: ReadonlyArray<VendorRecord<Data>>): ZoneAnswer<Data> => {
    const { [name]: host = "", [type]: ofType = "" } = call.pathParameters
    const place = { name: toAbsoluteName(host, call.zone), type: ofType }
    const isNamed = (record: VendorRecord<Data>) =>
      record.type === place.type && isSameName(record.name, place.name, comparesCase)
    const [set] = groupIntoSets(records.filter(isNamed))
    return operation({ ...call, place }, set, set === undefined ? records : records.filter((each) => !isNamed(each)))
  }

const isSameName = (one: string, other: string, comparesCase: boolean): boolean =>
  one === other || (!comparesCase && one.toLowerCase() === other.toLowerCase())

/** A change of a batch: a deletion names the set as it is stored, and a creation needs that there is none. */
export interface VendorSetChange<Data> {
  readonly action: "CREATE" | "DELETE" | "UPSERT"
  /** What tells the set apart from others. */
  readonly key: string
  readonly set: ReadonlyArray<EnteredRecord<Data>>
}

/** Why a vendor refuses a change of a set, besides the data of its records. */
export type SetRefusal = "absent" | "alias" | "different" | "duplicate" | "present"

/** Makes the changes of a batch in their order; once one of them is refused, none is made. */
export const changeSets = <Data>(
  before: ReadonlyArray<VendorRecord<Data>>,
  changes: ReadonlyArray<VendorSetChange<Data>>,
  keyOf: (record: EnteredRecord<Data>) => string,
  refuse: (reason: SetRefusal, change: VendorSetChange<Data>) => VendorAnswer
): VendorAnswer | ReadonlyArray<EnteredRecord<Data>> => {
  const sets = new Map<string, VendorSetChange<Data>["set"]>(
    groupIntoSets(before, keyOf).map((set) => [keyOf(set[0]), set])
  )
  for (const change of changes) {
    const reason = findSetRefusal(change, sets)
    if (reason !== undefined) return refuse(reason, change)
    if (change.action === "DELETE") sets.delete(change.key)
    else sets.set(change.key, change.set)
  }
  return [...sets.values()].flat()
}

const findSetRefusal = <Data>(
  { action, key, set }: VendorSetChange<Data>,
  sets: ReadonlyMap<string, VendorSetChange<Data>["set"]>
): SetRefusal | undefined => {
  const stored = sets.get(key)
  const contentOf = (records: typeof set) => records.map(({ data, ttl }) => JSON.stringify([ttl, data])).toSorted()
  if (action === "DELETE" && stored === undefined) return "absent"
  if (action === "DELETE") return Bun.deepEquals(contentOf(stored ?? []), contentOf(set)) ? undefined : "different"
  if (action === "CREATE" && stored !== undefined) return "present"
  if (new Set(contentOf(set)).size < set.length) return "duplicate"
  const others = [...sets.values()].flat().filter(({ name, type }) => name === set[0]?.name && type !== set[0].type)
  return set.some((record) => findConflict(others, record) !== undefined) ? "alias" : undefined
}
