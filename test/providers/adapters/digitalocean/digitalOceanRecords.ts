/** A record as DigitalOcean shows it. */
export interface DigitalOceanRecord {
  readonly id: number
  readonly type: string
  /** Relative to the zone; `@` is the apex. */
  readonly name: string
  /** A target has no dot at its end, and `@` is the zone itself. */
  readonly data: string
  readonly priority: number | null
  readonly port: number | null
  readonly ttl: number
  readonly weight: number | null
  readonly flags: number | null
  readonly tag: string | null
}

const noFields = { priority: null, port: null, weight: null, flags: null, tag: null }

/** A record with an address, as a zone may have it before a test. */
export const digitalOceanRecord = (
  record: Pick<DigitalOceanRecord, "id" | "type" | "name" | "data"> & Partial<DigitalOceanRecord>
): DigitalOceanRecord => ({ ttl: 1800, ...noFields, ...record })

/** What DigitalOcean keeps of the body of a request, or why it refuses the record. */
export const toDigitalOceanRecord = (
  zone: string,
  id: number,
  body: any,
  others: ReadonlyArray<DigitalOceanRecord>
): DigitalOceanRecord | string => {
  const record: DigitalOceanRecord = digitalOceanRecord({ id, ...body, ttl: body.ttl ?? 1800, name: body.name ?? "@" })
  const { name, type } = record
  const refusal = writableTypes.includes(type) ? refusalOfFields(record) : "Type is not included in the list"
  if (refusal !== undefined) return refusal
  const namesakes = others.filter((other) => other.name === name)
  if (namesakes.some((other) => type === "CNAME" || other.type === "CNAME"))
    return "CNAME records cannot share a name with other records"
  return { ...record, data: storedData(record, zone) }
}

// vendor-facts.json, `cannot_store`: neither DS, TLSA, HTTPS, PTR nor an alias; the SOA is DigitalOcean's own.
const writableTypes = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "SRV", "TXT"]

const neededFields: Readonly<Record<string, ReadonlyArray<keyof DigitalOceanRecord>>> = {
  MX: ["priority"],
  SRV: ["priority", "weight", "port"],
  CAA: ["flags", "tag"]
}

const refusalOfFields = (record: DigitalOceanRecord): string | undefined => {
  const { data, name, ttl, type } = record
  const missing = neededFields[type]?.find((field) => record[field] === null)
  if (missing !== undefined) return `${missing} can't be blank`
  if (ttl < 30) return "TTL must be greater than or equal to 30"
  if (name.endsWith(".")) return "Name can't end with a dot"
  if (type === "TXT") return refusalOfText(data)
  if (type === "A" || type === "AAAA") return isAddress(type, data) ? undefined : "IP address is invalid"
  if (type === "CAA" && /[\s;]/.test(data)) return "Data is invalid"
  if (type === "MX" && data === ".") return "Data is invalid"
  return needsDot(record) && !data.endsWith(".") && data !== "@" ? "Data needs to end with a dot (.)" : undefined
}

const isAddress = (type: string, data: string): boolean =>
  type === "A" ? /^\d+(\.\d+){3}$/.test(data) : /^[\da-f:]+(:\d+(\.\d+){3})?$/i.test(data)

/** A CAA value of `iodef` is a URL (issue 1010 of digitalocean/terraform-provider-digitalocean); the others name a CA. */
const needsDot = ({ tag, type }: DigitalOceanRecord): boolean => type !== "CAA" || tag !== "iodef"

/** The limit counts the text as zone files have it, in quoted strings of 255 characters (vendor-facts.json, `traps`). */
const refusalOfText = (text: string): string | undefined => {
  const encoded = (text.match(/.{1,255}/gs) ?? []).map((part) => `"${part.replaceAll('"', '\\"')}"`).join(" ")
  if (text === "" || text.includes("\\")) return "Data is invalid"
  return encoded.length > 509 ? "Data is too long" : undefined
}

const storedData = ({ data, type }: DigitalOceanRecord, zone: string): string => {
  if (type === "TXT" || type === "A" || type === "AAAA" || data === ".") return data
  const target = data.replace(/\.$/, "")
  return type !== "CAA" && target.toLowerCase() === zone ? "@" : target
}
