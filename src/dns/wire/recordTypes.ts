/** The codes of the record types that have a name here (IANA, Domain Name System Parameters). */
const codes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257
} as const

/** A record type by its name. */
export type RecordTypeName = keyof typeof codes

/** The code of a record type. */
export const typeCodeOf = (type: RecordTypeName): number => codes[type]

/** The codes of classes; NONE and ANY occur only in updates and signatures (RFC 2136 section 1.3). */
export const [classIn, classNone, classAny] = [1, 254, 255]

/** The codes of all types that have a name here. */
export const knownTypeCodes: ReadonlyArray<number> = Object.values(codes)

/** The name of a record type; a type without one here is called `TYPE65280` and so on (RFC 3597 section 5). */
export const typeNameOf = (code: number): string => names.get(code) ?? `TYPE${code}`

const names: ReadonlyMap<number, string> = new Map(Object.entries(codes).map(([name, code]) => [code, name]))
