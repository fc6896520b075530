import { toDesecContent, toDigestable } from "./desecRecords.ts"

/** A set as deSEC stores it; a later `created` is a larger number. */
export interface DesecStoredSet {
  readonly subname: string
  readonly type: string
  readonly ttl: number
  readonly records: ReadonlyArray<string>
  readonly created: number
}

/** A domain with its sets in any order; `minimumTtl` is in seconds. */
export interface DesecDomainState {
  readonly minimumTtl: number
  readonly sets: ReadonlyArray<DesecStoredSet>
  readonly nextCreated: number
}

/** One item of a bulk request, or the body of a request for one set. */
interface DesecChange {
  readonly subname?: string
  readonly type: string
  readonly ttl?: number
  readonly records?: ReadonlyArray<string>
}

type BulkResult =
  | { readonly refusal: ReadonlyArray<unknown> }
  | { readonly domain: DesecDomainState; readonly written: ReadonlyArray<DesecStoredSet> }

/**
 * Makes all the changes or none of them, by the rules of `RRsetListSerializer` and `RRsetSerializer` in
 * api/desecapi/serializers/records.py and of `clean_records` in api/desecapi/models/records.py.
 */
export const applyDesecChanges = (
  name: string,
  domain: DesecDomainState,
  changes: ReadonlyArray<DesecChange>
): BulkResult => {
  const errors = changes.map((change, index) => findErrors(name, domain, changes, change, index))
  if (errors.some((error) => Object.keys(error).length > 0)) return { refusal: errors }
  const late = changes.flatMap(findLateErrors)
  if (late.length > 0) return { refusal: late }
  const written = changes
    .filter((change) => !isDeletion(change))
    .map((change, index) => toStored(change, findStored(domain, change), domain.nextCreated + index))
  const isChanged = (set: DesecStoredSet) => changes.some((change) => keyOf(change) === keyOf(set))
  return {
    written,
    domain: {
      ...domain,
      sets: [...domain.sets.filter((set) => !isChanged(set)), ...written],
      nextCreated: domain.nextCreated + changes.length
    }
  }
}

const keyOf = ({ subname = "", type }: Pick<DesecChange, "subname" | "type">): string => `${subname} ${type}`

const isDeletion = ({ records }: DesecChange): boolean => records?.length === 0

const findStored = ({ sets }: DesecDomainState, change: DesecChange): DesecStoredSet | undefined =>
  sets.find((set) => keyOf(set) === keyOf(change))

/** Records are kept as a set, so that their order says nothing. */
const toStored = (change: DesecChange, before: DesecStoredSet | undefined, created: number): DesecStoredSet => ({
  subname: change.subname ?? "",
  type: change.type,
  ttl: change.ttl ?? before?.ttl ?? 0,
  records:
    change.records
      ?.map((text) => contentOf(change.type, text))
      .toSorted()
      .toReversed() ??
    before?.records ??
    [],
  created: before?.created ?? created
})

const contentOf = (type: string, text: string): string => {
  const result = toDesecContent(type, text)
  if ("problem" in result) throw new Error(result.problem)
  return result.content
}

type FieldErrors = Readonly<Record<string, ReadonlyArray<string>>>

const nonField = (...messages: ReadonlyArray<string>): FieldErrors =>
  messages.length === 0 ? {} : { non_field_errors: messages }

const findErrors = (
  name: string,
  domain: DesecDomainState,
  changes: ReadonlyArray<DesecChange>,
  change: DesecChange,
  index: number
): FieldErrors => {
  const same = changes.flatMap((other, position) => (keyOf(other) === keyOf(change) ? [position] : []))
  if (same.length > 1)
    return nonField(
      `Same subname and type as in position(s) ${same.filter((position) => position !== index).join(", ")}, but must be unique.`
    )
  const conflicts = isDeletion(change) ? [] : findConflicts(domain, changes, change)
  if (conflicts.length > 0)
    return nonField(
      `RRset with conflicting type present: ${conflicts.join(", ")}. (No other RRsets are allowed alongside CNAME.)`
    )
  const isNew = findStored(domain, change) === undefined && !isDeletion(change)
  const { records, subname = "", ttl } = change
  const fields: Readonly<Record<string, string | undefined>> = {
    subname: subnamePattern.test(subname)
      ? undefined
      : "Subname can only use (lowercase) a-z, 0-9, ., -, and _, may start with a '*.', or just be '*'. Components may not exceed 63 characters.",
    ttl: ttl === undefined ? (isNew ? "This field is required." : undefined) : ttlProblem(ttl, domain.minimumTtl),
    records: records === undefined && isNew ? "This field is required." : undefined,
    type: typeProblem(change, name)
  }
  const found = Object.entries(fields).flatMap(([field, message]) =>
    message === undefined ? [] : [[field, [message]]]
  )
  return found.length > 0 ? Object.fromEntries(found) : nonField(...findRecordProblems(name, change))
}

/** Types that stand beside the set once the request is carried out, and where: in the database or the request. */
const findConflicts = (
  { sets }: DesecDomainState,
  changes: ReadonlyArray<DesecChange>,
  { subname = "", type }: DesecChange
): ReadonlyArray<string> => {
  const isConflict = (other: Pick<DesecChange, "subname" | "type">) =>
    (other.subname ?? "") === subname && (other.type === "CNAME") !== (type === "CNAME")
  const deleted = new Set(changes.filter(isDeletion).map(keyOf))
  const stored = sets.filter((set) => isConflict(set) && !deleted.has(keyOf(set))).map((set) => set.type)
  const requested = changes.flatMap((other, position) =>
    isConflict(other) && !isDeletion(other) ? [`${position} (${other.type})`] : []
  )
  return [...requested, ...(stored.length > 0 ? [`database (${stored.toSorted().join(", ")})`] : [])]
}

const subnamePattern = /^$|^(?=.{1,178}$)([*]|(([*][.])?([a-z0-9_-]{1,63}[.])*[a-z0-9_-]{1,63}))$/

/** api/api/settings.py, `MAXIMUM_TTL`. */
const maximumTtl = 86_400

const ttlProblem = (ttl: number, minimum: number): string | undefined => {
  if (ttl < minimum) return `Ensure this value is greater than or equal to ${minimum}.`
  return ttl > maximumTtl ? `Ensure this value is less than or equal to ${maximumTtl}.` : undefined
}

const managedTypes: ReadonlySet<string> = new Set(["KEY", "NSEC", "NSEC3", "NSEC3PARAM", "OPT", "RRSIG", "SOA"])

/** `validate_type`, and `is_locally_registrable` for the domains that deSEC itself gives away. */
const typeProblem = (change: DesecChange, name: string): string | undefined => {
  const { subname = "", type } = change
  if (type === "NS" && name.endsWith(".dedyn.io") && !(isDeletion(change) && subname !== ""))
    return "Cannot modify NS records for this domain."
  if (managedTypes.has(type)) return `You cannot tinker with the ${type} RR set. It is managed automatically.`
  const result = toDesecContent(type, "")
  return "problem" in result && result.problem.includes("unsupported") ? result.problem : undefined
}

const findRecordProblems = (name: string, { records = [], subname = "", type }: DesecChange): ReadonlyArray<string> => {
  const results = records.map((text) => toDesecContent(type, text))
  const problems = results.flatMap((result) => ("problem" in result ? [result.problem] : []))
  if (problems.length > 0) return problems
  const contents = results.flatMap((result) => ("content" in result ? [result.content] : []))
  if (new Set(contents.map((content) => toDigestable(type, content))).size < contents.length)
    return ["Duplicate: records must be semantically unique"]
  const length =
    288 + subname.length + name.length + 2 + contents.reduce((sum, content) => sum + 12 + content.length, 0)
  return length > 65_535 ? [`Total length of RRset exceeds limit by ${length - 65_535} bytes.`] : []
}

/** The second stage, which names no item. */
const findLateErrors = ({ records = [], subname = "", type }: DesecChange): ReadonlyArray<string> => [
  ...((type === "CNAME" || type === "DNAME") && records.length > 1
    ? [`${type} RRset cannot have multiple records.`]
    : []),
  ...((type === "CNAME" || type === "DS") && subname === "" && records.length > 0
    ? [`${type} RRset cannot have empty subname.`]
    : [])
]
