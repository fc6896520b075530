import { isIP } from "node:net"
import { shownName, storedName, type StoredHostedZone, type StoredSet } from "./route53State.ts"
import type { XmlNode } from "./route53Xml.ts"

/** One change of a batch. */
export interface StoredChange {
  readonly action: "CREATE" | "DELETE" | "UPSERT"
  readonly set: StoredSet
}

/** Decodes the body of ChangeResourceRecordSets; throws at an element that its schema does not have, or has elsewhere. */
export const decodeBatch = (root: XmlNode): ReadonlyArray<StoredChange> => {
  if (root.name !== "ChangeResourceRecordSetsRequest") throw new Error(`<${root.name}> instead of the request`)
  const batch = fieldOf(fieldsOf(root, ["ChangeBatch"]), "ChangeBatch")
  return fieldOf(fieldsOf(batch, ["Changes"], ["Comment"]), "Changes").children.map((change) => {
    if (change.name !== "Change") throw new Error(`<${change.name}> among the changes`)
    const fields = fieldsOf(change, ["Action", "ResourceRecordSet"])
    const { text } = fieldOf(fields, "Action")
    const action = (["CREATE", "DELETE", "UPSERT"] as const).find((known) => known === text)
    if (action === undefined) throw new Error(`no action: ${text}`)
    return { action, set: decodeSet(fieldOf(fields, "ResourceRecordSet")) }
  })
}

type Fields = ReadonlyMap<string, XmlNode>

const fieldsOf = (parent: XmlNode, required: ReadonlyArray<string>, optional: ReadonlyArray<string> = []): Fields => {
  const fields = new Map(parent.children.map((child) => [child.name, child]))
  const known = [...required, ...optional]
  const isComplete = required.every((name) => fields.has(name)) && fields.size === parent.children.length
  if (!isComplete || [...fields.keys()].some((name) => !known.includes(name)))
    throw new Error(`<${parent.name}> has ${parent.children.map(({ name }) => name).join()} instead of ${known.join()}`)
  return fields
}

const fieldOf = (fields: Fields, name: string): XmlNode => {
  const field = fields.get(name)
  if (field === undefined) throw new Error(`no <${name}>`)
  return field
}

const decodeSet = (node: XmlNode): StoredSet => {
  const optional = ["TTL", "ResourceRecords", "AliasTarget", "SetIdentifier", "Weight", "HealthCheckId"]
  const fields = fieldsOf(node, ["Name", "Type"], optional)
  const [identifier, weight, alias] = [fields.get("SetIdentifier"), fields.get("Weight"), fields.get("AliasTarget")]
  const healthCheckId = fields.get("HealthCheckId")
  const common = {
    name: storedName(fieldOf(fields, "Name").text),
    type: fieldOf(fields, "Type").text,
    ...(identifier === undefined ? {} : { identifier: identifier.text }),
    ...(weight === undefined ? {} : { weight: weight.text }),
    ...(healthCheckId === undefined ? {} : { healthCheckId: healthCheckId.text })
  }
  if (alias === undefined) {
    const ttl = fieldOf(fields, "TTL").text
    if (!/^\d+$/.test(ttl)) throw new Error(`no TTL: ${ttl}`)
    const records = fieldOf(fields, "ResourceRecords").children
    return { ...common, ttl: Number(ttl), values: records.map((record) => textOf(record, ["Value"], "Value")) }
  }
  if (fields.has("TTL") || fields.has("ResourceRecords")) throw new Error("an alias has neither TTL nor records")
  const parts = ["HostedZoneId", "DNSName", "EvaluateTargetHealth"]
  return {
    ...common,
    values: [],
    alias: {
      zoneId: textOf(alias, parts, "HostedZoneId"),
      target: textOf(alias, parts, "DNSName"),
      evaluatesHealth: textOf(alias, parts, "EvaluateTargetHealth")
    }
  }
}

const textOf = (parent: XmlNode, required: ReadonlyArray<string>, name: string): string =>
  fieldOf(fieldsOf(parent, required), name).text

/** The zone after all the changes, or the messages with which Route 53 refuses the batch. */
export const applyBatch = (
  zone: StoredHostedZone,
  changes: ReadonlyArray<StoredChange>
): StoredHostedZone | ReadonlyArray<string> => {
  const counted = changes.flatMap(({ action, set: { values } }) =>
    action === "UPSERT" ? [...values, ...values] : values
  )
  if (counted.length > 1000) return ["Number of records limit of 1000 exceeded."]
  if (counted.join("").length > 32_000) return ["Number of characters in all values limit of 32000 exceeded."]
  let sets = zone.sets
  const refusals = changes.flatMap((change) => {
    const refusal = refusalOf(change, sets, zone.name)
    if (refusal !== undefined) return [refusal]
    const others = sets.filter((set) => keyOf(set) !== keyOf(change.set))
    sets = change.action === "DELETE" ? others : [...others, change.set]
    return []
  })
  const kept = sets.filter(({ name, type }) => name === zone.name && ["NS", "SOA"].includes(type))
  if (kept.length < 2) refusals.push("A HostedZone must contain at least one NS record for the zone itself.")
  return refusals.length > 0 ? refusals : { ...zone, sets }
}

const keyOf = ({ identifier = "", name, type }: StoredSet): string => [name, type, identifier].join(" ")

const describe = ({ identifier, name, type }: StoredSet): string =>
  `[name='${shownName(name)}', type='${type}'${identifier === undefined ? "" : `, set-identifier='${identifier}'`}]`

const refusalOf = ({ action, set }: StoredChange, sets: ReadonlyArray<StoredSet>, zone: string): string | undefined => {
  const existing = sets.find((other) => keyOf(other) === keyOf(set))
  if (action === "DELETE") {
    if (existing === undefined) return `Tried to delete resource record set ${describe(set)} but it was not found`
    return exactly(existing) === exactly(set)
      ? undefined
      : `Tried to delete resource record set ${describe(set)} but the values provided do not match the current values`
  }
  if (action === "CREATE" && existing !== undefined)
    return `Tried to create resource record set ${describe(set)} but it already exists`
  return refusalOfSet(set, zone) ?? refuseCoexistence(set, sets, zone)
}

const exactly = ({ alias, healthCheckId, ttl, values, weight }: StoredSet): string =>
  JSON.stringify([ttl, values.toSorted(), alias, weight, healthCheckId])

/** The messages are those that users have quoted (issues of hashicorp/terraform, hashicorp/terraform-provider-aws). */
const refuseCoexistence = (set: StoredSet, sets: ReadonlyArray<StoredSet>, zone: string): string | undefined => {
  const others = sets.filter(({ name, type }) => name === set.name && type !== set.type)
  const name = shownName(set.name)
  if (set.type === "CNAME" && others.length > 0)
    return `RRSet of type CNAME with DNS name ${name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone}`
  if (others.some(({ type }) => type === "CNAME"))
    return `RRSet of type ${set.type} with DNS name ${name} is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone ${zone}`
  const namesakes = sets.filter((other) => other.name === set.name && other.type === set.type)
  return namesakes.some(({ identifier }) => (identifier === undefined) !== (set.identifier === undefined))
    ? `RRSet with DNS name ${name}, type ${set.type} cannot be created because a non-simple RRSet exists with the same name and type.`
    : undefined
}

const refusalOfSet = ({ alias, name, type, values }: StoredSet, zone: string): string | undefined => {
  if (name !== zone && !name.endsWith(`.${zone}`)) return `RRSet with DNS name ${name} is not permitted in zone ${zone}`
  if (!types.includes(type)) return `Invalid request: '${type}' is no type of a record`
  if (type === "CNAME" && name === zone)
    return `RRSet of type CNAME with DNS name ${name} is not permitted at apex in zone ${zone}`
  if (type === "NS" && name.startsWith("*."))
    return `RRSet of type NS with DNS name ${shownName(name)} is not permitted`
  if (alias !== undefined) return undefined
  if (values.length === 0 || (type === "CNAME" && values.length > 1))
    return `RRSet of type ${type} has ${values.length} values`
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) return `Duplicate Resource Record: '${twice}'`
  const fault = values.map((value) => faultIn(type, value)).find((found) => found !== undefined)
  return fault === undefined ? undefined : `Invalid Resource Record: 'FATAL problem: ${fault}'`
}

/** The developer guide, "Supported DNS record types", also of those that the stored document does not have yet. */
export const types = "A AAAA CAA CNAME DS HTTPS MX NAPTR NS PTR SOA SPF SRV SSHFP SVCB TLSA TXT".split(" ")

const faultIn = (type: string, value: string): string | undefined => {
  if (value.length > 4000) return "Value is longer than 4000 characters"
  if (/[^ -~]/.test(value)) return `InvalidCharacterString encountered with '${value}'`
  const pattern = patterns[type]
  if (type !== "TXT" && type !== "SPF")
    return pattern === undefined || pattern(value) ? undefined : `ARRDATAInvalid encountered with '${value}'`
  const strings = value.match(/"(?:[^"\\]|\\[0-3][0-7]{2}|\\\D)*"/g) ?? []
  if (strings.length === 0 || strings.join(" ") !== value)
    return `InvalidCharacterString (Value should be enclosed in quotation marks) encountered with '${value}'`
  const isTooLong = strings.some((string) => string.slice(1, -1).replace(/\\(\d{3}|.)/g, "?").length > 255)
  return isTooLong ? `CharacterStringTooLong (Value is too long) encountered with '${value}'` : undefined
}

const host = String.raw`(\.|([^\s.]+\.)*[^\s.]+\.?)`
const matches = (pattern: string) => (value: string) => new RegExp(`^${pattern}$`).test(value)

const patterns: Readonly<Record<string, (value: string) => boolean>> = {
  A: (value) => isIP(value) === 4,
  AAAA: (value) => isIP(value) === 6,
  CAA: matches(String.raw`\d{1,3} [a-z0-9]+ "(?:[^"\\]|\\.)*"`),
  CNAME: matches(host),
  MX: matches(String.raw`\d{1,5} ${host}`),
  NS: matches(host),
  SRV: matches(String.raw`\d{1,5} \d{1,5} \d{1,5} ${host}`)
}
