/** Data of a record as deSEC stores them, or why it does not. */
type DesecContent = { readonly content: string } | { readonly problem: string }

/**
 * What deSEC makes of the data of a record: its canonical form, which is the only one that it ever shows. The rules are
 * those of desec-io/desec-stack: api/desecapi/dns.py, `canonical_presentation_format` of api/desecapi/models/records.py,
 * and the examples of `test_create_my_rr_sets_canonical_content` in api/desecapi/tests/test_rrsets.py.
 */
export const toDesecContent = (type: string, text: string): DesecContent => {
  const fields = fieldsByType[type]
  if (fields === undefined) return { problem: `The ${type} RR set type is currently unsupported.` }
  try {
    return { content: formatFields(fields, tokenize(text)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Equal for data that deSEC takes for the same: names of these types in any letter case (RFC 4034 section 6.2). */
export const toDigestable = (type: string, content: string): string =>
  foldedTypes.has(type) ? content.toLowerCase() : content

const foldedTypes: ReadonlySet<string> = new Set(["AFSDB", "CNAME", "DNAME", "KX", "MX", "NS", "PTR", "RP", "SRV"])

interface Token {
  readonly bytes: ReadonlyArray<number>
  readonly isQuoted: boolean
}

type DesecField = (tokens: ReadonlyArray<Token>) => string

const formatFields = (fields: ReadonlyArray<DesecField>, tokens: ReadonlyArray<Token>): string => {
  if (tokens.length < fields.filter((field) => field !== rest).length)
    throw new Error("Record content malformed: unexpected end of input")
  const words = fields.map((field, index) =>
    field(index === fields.length - 1 ? tokens.slice(index) : tokens.slice(index, index + 1))
  )
  return words.join(" ").trimEnd()
}

/** Words and quoted strings, with `\X` and `\DDD` for a byte. */
const tokenize = (text: string): ReadonlyArray<Token> =>
  (text.match(/"(?:\\[^]|[^"\\])*"|(?:\\[^]|[^\s"\\])+/g) ?? []).map((part) => {
    const isQuoted = part.startsWith('"')
    const inside = isQuoted ? part.slice(1, -1) : part
    const bytes = (inside.match(/\\\d{3}|\\?[^]/gu) ?? []).flatMap((character) =>
      /^\\\d{3}$/.test(character) ? [Number(character.slice(1))] : [...Buffer.from(character.replace(/^\\/, ""))]
    )
    return { isQuoted, bytes }
  })

const textOf = ({ bytes }: Token): string => Buffer.from(bytes).toString("latin1")

const one = (tokens: ReadonlyArray<Token>): Token => {
  if (tokens.length !== 1 || tokens[0] === undefined) throw new Error("Record content malformed: extra text")
  return tokens[0]
}

const number =
  (maximum: number): DesecField =>
  (tokens) => {
    const word = textOf(one(tokens))
    if (!/^\d+$/.test(word) || Number(word) > maximum) throw new Error(`Cannot parse record contents: ${word}`)
    return String(Number(word))
  }

const short = number(65_535)
const byte = number(255)

const word: DesecField = (tokens) => textOf(one(tokens))
const lowerWord: DesecField = (tokens) => word(tokens).toLowerCase()
const rest: DesecField = (tokens) =>
  tokens.map((token) => (token.isQuoted ? quote(token.bytes) : textOf(token))).join(" ")
const joined: DesecField = (tokens) => tokens.map(textOf).join("")
const hex: DesecField = (tokens) => joined(tokens).toLowerCase()

const ipv4: DesecField = (tokens) => {
  const parts = word(tokens).split(".")
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255))
    throw new Error("Record content for type A malformed: Text input is malformed.")
  return parts.join(".")
}

/** In the compressed form without an IPv4 part, as URLs have it. */
const ipv6: DesecField = (tokens) => {
  const text = `http://[${word(tokens)}]/`
  if (!URL.canParse(text)) throw new Error("Record content for type AAAA malformed: Text input is malformed.")
  return new URL(text).hostname.slice(1, -1)
}

const name: DesecField = (tokens) => {
  const text = word(tokens)
  if (!text.endsWith(".")) throw new Error('Hostname must be fully qualified (i.e., end in a dot: "example.com.")')
  if (text.length > 254 || text.split(".").some((label) => label.length > 63))
    throw new Error("Hostname must be no longer than 255 characters")
  return text
}

/** PowerDNS accepts nothing but letters, digits and hyphens in targets of MX, NS and SRV. */
const hostName =
  (isRootAllowed: boolean): DesecField =>
  (tokens) => {
    const text = name(tokens)
    const labels = text.slice(0, -1).split(".")
    if (
      !(isRootAllowed && text === ".") &&
      labels.some((label) => !/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label))
    )
      throw new Error(`Cannot parse record contents: invalid target: ${text}`)
    return text
  }

const quoted: DesecField = (tokens) => quote(one(tokens).bytes)

/** Every string is quoted, and one of more than 255 bytes becomes several. */
const strings: DesecField = (tokens) => {
  if (tokens.some(({ isQuoted }) => !isQuoted))
    throw new Error("Data for TXT records must be given using quotation marks.")
  const chunks = tokens.flatMap(({ bytes }) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, index) =>
      bytes.slice(index * 255, (index + 1) * 255)
    )
  )
  return chunks.map(quote).join(" ")
}

const quote = (bytes: ReadonlyArray<number>): string => {
  const characters = bytes.map((code) => {
    const character = String.fromCharCode(code)
    if (character === '"' || character === "\\") return `\\${character}`
    return code >= 0x20 && code <= 0x7e ? character : `\\${String(code).padStart(3, "0")}`
  })
  return `"${characters.join("")}"`
}

/** The types that the fake stores: those of `RR_SET_TYPES_MANAGEABLE` that zones have, each with its fields. */
const fieldsByType: Readonly<Record<string, ReadonlyArray<DesecField>>> = {
  A: [ipv4],
  AAAA: [ipv6],
  AFSDB: [short, name],
  CAA: [byte, word, quoted],
  CERT: [short, short, word, joined],
  CNAME: [name],
  DHCID: [joined],
  DNAME: [name],
  DS: [short, byte, byte, hex],
  EUI48: [lowerWord],
  EUI64: [lowerWord],
  HINFO: [quoted, quoted],
  HTTPS: [short, name, rest],
  KX: [short, name],
  LOC: [rest],
  MX: [short, hostName(true)],
  NAPTR: [short, short, quoted, quoted, quoted, name],
  NS: [hostName(false)],
  OPENPGPKEY: [joined],
  PTR: [name],
  RP: [name, name],
  SMIMEA: [byte, byte, byte, hex],
  SPF: [strings],
  SRV: [short, short, short, hostName(true)],
  SSHFP: [byte, byte, hex],
  SVCB: [short, name, rest],
  TLSA: [byte, byte, byte, hex],
  TXT: [strings],
  URI: [short, short, quoted]
}

export const desecTypes = Object.keys(fieldsByType).join(" ")
