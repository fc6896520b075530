import type { DescribedCall, ZoneAnswer } from "./DescribedVendor.ts"
import { type EnteredRecord, groupIntoSets, toAbsoluteName, type VendorRecord, type VendorSet } from "./VendorZones.ts"

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
