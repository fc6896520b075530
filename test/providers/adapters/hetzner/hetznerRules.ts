/** A set as Hetzner shows it, without what is the same for all sets of a zone. */
export interface FakeHetznerSet {
  /** Relative to the zone; `@` is the apex. */
  readonly name: string
  readonly type: string
  /** Seconds; `null` is the zone's own TTL. */
  readonly ttl: number | null
  readonly records: ReadonlyArray<{ readonly value: string; readonly comment?: string }>
  readonly isProtected?: boolean
}

/** Why Hetzner does not take a set beside the others of the zone; `undefined` if it does. */
export const refusalOfSet = (
  { name, records, type }: FakeHetznerSet,
  others: ReadonlyArray<FakeHetznerSet>,
  zone: string
): string | undefined => {
  const values = records.map(({ value }) => value)
  // The document, `name` of a set.
  if (name !== name.toLowerCase() || name.endsWith(".") || name === zone || name.endsWith(`.${zone}`))
    return "name must be in lower case, and must not end with a dot or the name of the zone"
  if (type === "SOA") return "SOA cannot be changed"
  // The document, `records` of a set.
  if (values.length === 0) return "records must not be empty"
  if (new Set(values).size < values.length) return "records must only contain distinct values"
  const malformed = values.find((value) => !isWellFormed(type, value))
  if (malformed !== undefined) return `${malformed} is not a valid value of ${type}`
  const namesakes = others.filter((other) => other.name === name)
  if (namesakes.some((other) => type === "CNAME" || other.type === "CNAME") || (type === "CNAME" && values.length > 1))
    return "a CNAME must be the only record of its name"
  return undefined
}

const isWellFormed = (type: string, value: string): boolean => {
  if (type === "TXT") return isText(value)
  return forms[type]?.test(value) ?? true
}

const forms: Readonly<Record<string, RegExp>> = {
  A: /^\d{1,3}(\.\d{1,3}){3}$/,
  AAAA: /^[\da-f:]+(:\d+(\.\d+){3})?$/i,
  CAA: /^\d{1,3} [a-z\d]+ "(?:[^"\\]|\\.)*"$/i,
  CNAME: /^[^\s"]+$/,
  MX: /^\d{1,5} [^\s"]+$/,
  NS: /^[^\s"]+$/,
  SRV: /^\d{1,5} \d{1,5} \d{1,5} [^\s"]+$/
}

/**
 * hcloud-go, `zoneutil.FormatTXTRecord`: quoted strings of at most 255 bytes, joined by blanks, with a backslash before
 * quotes. Codes are not in it; the fake takes them for bytes that are no text, as zone files have them.
 */
const isText = (value: string): boolean => {
  const strings = value.match(/"(?:[^"\\]|\\["\\]|\\(?:0[0-2]\d|03[01]|127|1[3-9]\d|12[89]|2\d\d))*"/g) ?? []
  return strings.join(" ") === value && value !== "" && strings.every((string) => lengthOf(string.slice(1, -1)) <= 255)
}

const lengthOf = (string: string): number => Buffer.byteLength(string.replaceAll(/\\\d{3}|\\\D/g, "?"))
