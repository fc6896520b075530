import { unquoteText } from "../../../src/domain/records/unquoteText.ts"
import type { LabRecord } from "../lab/packet.ts"
import { tokensOf } from "../lab/rdata.ts"

/** A record as a vendor keeps it. */
export interface VendorRecord<Data> extends EnteredRecord<Data> {
  readonly id: string
}

/** A record as somebody enters it. */
export interface EnteredRecord<Data> {
  /** Absolute, without a final dot. */
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** In the vendor's own fields. */
  readonly data: Data
}

/** The zones of one account by name, with their records in the order in which they were entered. */
export interface VendorZones<Data> {
  readonly zones: Readonly<Record<string, ReadonlyArray<VendorRecord<Data>>>>
  readonly nextId: number
  /** What is served of the zones, where a vendor serves a write only after another call. */
  readonly served?: Readonly<Record<string, ReadonlyArray<VendorRecord<Data>>>>
  /** The ids that the next records get, before others count from `nextId`: those of a recording. */
  readonly nextIds?: ReadonlyArray<string>
  /** The changes that the vendor has accepted, and makes later than it answers. */
  readonly actions?: ReadonlyArray<VendorAction<Data>>
}

/** A change that a vendor has accepted, and makes when its time has come. */
export interface VendorAction<Data> {
  readonly id: string
  readonly command: string
  readonly zone: string
  /** By the clock of the fake, as is its end. */
  readonly startedAt: number
  readonly endsAt: number
  readonly hasEnded: boolean
  /** The error in which it ends in place of the change; `null` is one without a reason. */
  readonly error?: object | null
  readonly change: (records: ReadonlyArray<VendorRecord<Data>>) => ReadonlyArray<EnteredRecord<Data>>
}

/** Accepts a change, which gets the next id. */
export const startAction = <Data>(
  state: VendorZones<Data>,
  started: Omit<VendorAction<Data>, "hasEnded" | "id">
): { readonly action: VendorAction<Data>; readonly state: VendorZones<Data> } => {
  const action = { ...started, id: String(state.nextId), hasEnded: false }
  return { action, state: { ...state, nextId: state.nextId + 1, actions: [...(state.actions ?? []), action] } }
}

/** Makes the accepted changes whose time has come, in their order. */
export const endActions = <Data>(state: VendorZones<Data>, now: number): VendorZones<Data> => {
  const { actions = [] } = state
  const due = actions.filter(({ endsAt, hasEnded }) => !hasEnded && endsAt <= now)
  if (due.length === 0) return state
  return due
    .filter(({ error }) => error === undefined)
    .reduce<VendorZones<Data>>((made, { change, zone }) => withRecordsOf(made, zone, change(made.zones[zone] ?? [])), {
      ...state,
      actions: actions.map((action) => (due.includes(action) ? { ...action, hasEnded: true } : action))
    })
}

/** Replaces the records of a zone; those without an id get one. */
export const withRecordsOf = <Data>(
  state: VendorZones<Data>,
  zone: string,
  records: ReadonlyArray<EnteredRecord<Data> & { readonly id?: string }>
): VendorZones<Data> => {
  let { nextId } = state
  const ids = [...(state.nextIds ?? [])]
  const kept = records.map((record) => ({ ...record, id: record.id ?? ids.shift() ?? String(nextId++) }))
  return { ...state, zones: { ...state.zones, [zone]: kept }, nextId, nextIds: ids }
}

/** Serves the records of a zone as they are, at a vendor that serves writes only then. */
export const serveZone = <Data>(state: VendorZones<Data>, zone: string): VendorZones<Data> => ({
  ...state,
  served: { ...state.served, [zone]: state.zones[zone] ?? [] }
})

/** A name relative to a zone, with `apex` for the zone itself. */
export const toRelativeName = (name: string, zone: string, apex = "@"): string =>
  name.toLowerCase() === zone ? apex : name.slice(0, -zone.length - 1)

/** The absolute name of one that is relative to a zone; `@` and the empty name are the zone itself. */
export const toAbsoluteName = (name: string, zone: string): string =>
  name === "@" || name === "" ? zone : `${name}.${zone}`

/** The name servers and the start of a new zone, at a vendor that keeps all data of a record as a zone file has them. */
export const newZone =
  (servers: ReadonlyArray<string>, start: string, ttl: { readonly NS: number; readonly SOA: number }) =>
  (name: string): ReadonlyArray<EnteredRecord<{ readonly value: string }>> => [
    ...servers.map((server) => ({ name, type: "NS", ttl: ttl.NS, data: { value: `${server}.` } })),
    { name, type: "SOA", ttl: ttl.SOA, data: { value: start } }
  ]

/** Records of one name and type, at least one. */
export type VendorSet<Data> = readonly [VendorRecord<Data>, ...ReadonlyArray<VendorRecord<Data>>]

/** Groups records by name and type, or by what else tells the sets of a vendor apart. */
export const groupIntoSets = <Data>(
  records: ReadonlyArray<VendorRecord<Data>>,
  keyOf = ({ name, type }: VendorRecord<Data>) => `${name.toLowerCase()} ${type}`
): ReadonlyArray<VendorSet<Data>> =>
  [...Map.groupBy(records, keyOf).values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const]
  )

/** Computes what is listed of a zone once for each of its states, because a large zone has a hundred pages. */
export const rememberLists = <Data, List extends object>(
  compute: (records: ReadonlyArray<VendorRecord<Data>>, zone: string) => List
): typeof compute => {
  const lists = new WeakMap<object, List>()
  return (records, zone) => {
    const list = lists.get(records) ?? compute(records, zone)
    lists.set(records, list)
    return list
  }
}

/** Compares by names in the order of DNS, and by types. */
export const compareByName = <Data>(one: EnteredRecord<Data>, other: EnteredRecord<Data>): number => {
  const [first = "", second = ""] = [one, other].map(({ name, type }) =>
    [...name.toLowerCase().split(".").toReversed(), type].join("\u0000")
  )
  return first < second ? -1 : first === second ? 0 : 1
}

/** What a vendor says of conflicts. */
export interface ConflictRules {
  /** It refuses the same record twice. */
  readonly refusesDuplicates?: boolean
}

/** What a zone cannot have: an alias beside other records or twice, and, where the vendor says so, the same record twice. */
export const findConflict = <Data>(
  records: ReadonlyArray<EnteredRecord<Data>>,
  record: EnteredRecord<Data>,
  { refusesDuplicates = false }: ConflictRules = {}
): "alias" | "duplicate" | undefined => {
  const namesakes = records.filter(({ name }) => name.toLowerCase() === record.name.toLowerCase())
  const isSame = ({ data, type }: EnteredRecord<Data>) =>
    type === record.type && JSON.stringify(data) === JSON.stringify(record.data)
  if (refusesDuplicates && namesakes.some(isSame)) return "duplicate"
  return namesakes.some(({ type }) => type === "CNAME" || record.type === "CNAME") ? "alias" : undefined
}

/** The data of a record of a zone file in fields; those without a meaning for its type are absent. */
export interface LabFields {
  readonly priority?: number
  readonly weight?: number
  readonly port?: number
  readonly flags?: number
  readonly tag?: string
  /** A target, the text of a TXT, the value of a CAA without quotes, or all of the data. */
  readonly value: string
}

/** Divides the data of a record; bytes of a text that are not UTF-8 become U+FFFD. */
export const toLabFields = ({ data, type }: Pick<LabRecord, "data" | "type">): LabFields => {
  const words = tokensOf(data)
  const numbers = words.map(Number)
  const last = words.at(-1) ?? ""
  if (type === "TXT") return { value: unquoteText(data) ?? data }
  if (type === "MX") return { priority: numbers[0] ?? 0, value: last }
  if (type === "SRV") return { priority: numbers[0] ?? 0, weight: numbers[1] ?? 0, port: numbers[2] ?? 0, value: last }
  if (type === "CAA") return { flags: numbers[0] ?? 0, tag: words[1] ?? "", value: unquoteText(last) ?? last }
  return { value: data }
}

/** The fields of a record at a vendor that shows `null` for those without a meaning for its type. */
export const withoutNull = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** The fields at a vendor that has all but the priority in one text, as a zone file has them. */
export const withPriorityBeside = (
  type: string,
  { flags, port, priority, tag, value, weight }: LabFields
): LabFields => ({
  value: type === "SRV" ? `${weight} ${port} ${value}` : type === "CAA" ? `${flags} ${tag} "${value}"` : value,
  ...(priority === undefined ? {} : { priority })
})

/** The data of a record in presentation format, from its fields; a target gets the dot at its end. */
export const toLabData = (type: string, { flags, port, priority, tag, value, weight }: LabFields): string => {
  const words: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    CNAME: [toTarget(value)],
    NS: [toTarget(value)],
    MX: [priority, toTarget(value)],
    SRV: [priority, weight, port, toTarget(value)],
    CAA: [flags, tag, `"${value}"`],
    TXT: [`"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`]
  }
  return (words[type] ?? [value]).join(" ")
}

const toTarget = (name: string): string => name.replace(/\.?$/, ".")
