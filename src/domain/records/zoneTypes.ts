import { generic, name, seconds, uint16, uint32 } from "./RecordField.ts"
import type { RecordFormat } from "./RecordFormat.ts"
import type { RecordType } from "./recordTypes.ts"
import { joinedStrings } from "./txt.ts"

const words = { fields: { data: generic } }
const pointer = { fields: { target: name } }

/** A preference or subtype and a host (RFC 2230, RFC 1183 section 1). */
const preferenceAndHost = { fields: { preference: uint16, host: name } }

/** A type that hardly any host has, and that matters only where all records of its host are replaced. */
const rare = { queried: "rarely" } as const

/** Types of the DNS that no intent may contain; those without fields of their own have words or generic data. */
export const zoneTypes = {
  DNAME: { code: 39, ...pointer, queried: "everywhere" },
  LOC: { code: 29, ...words, ...rare },
  PTR: { code: 12, ...pointer, ...rare },
  URI: { code: 256, ...words, ...rare },
  HINFO: { code: 13, ...words, ...rare },
  RP: { code: 17, fields: { mailbox: name, text: name }, ...rare },
  AFSDB: { code: 18, ...preferenceAndHost, ...rare },
  KX: { code: 36, ...preferenceAndHost, ...rare },
  CERT: { code: 37, ...words, ...rare },
  IPSECKEY: { code: 45, ...words, ...rare },
  DHCID: { code: 49, ...words, ...rare },
  SMIMEA: { code: 53, ...words, ...rare },
  OPENPGPKEY: { code: 61, ...words, ...rare },
  SPF: { code: 99, fields: { text: joinedStrings }, ...rare },
  EUI48: { code: 108, ...words, ...rare },
  EUI64: { code: 109, ...words, ...rare },
  SOA: {
    code: 6,
    fields: {
      primary: name,
      mailbox: name,
      serial: uint32,
      refresh: seconds,
      retry: seconds,
      expire: seconds,
      minimum: seconds
    }
  },
  OPT: { code: 41, ...words },
  RRSIG: { code: 46, ...words },
  NSEC: { code: 47, ...words },
  DNSKEY: { code: 48, ...words },
  NSEC3: { code: 50, ...words },
  NSEC3PARAM: { code: 51, ...words },
  CDS: { code: 59, ...words },
  CDNSKEY: { code: 60, ...words }
} as const satisfies Readonly<Record<string, RecordFormat>> & { readonly [_ in RecordType]?: never }

/** Types of providers and zone files that no message has by their names here. */
export const writtenTypes: Readonly<Record<string, RecordFormat>> = {
  ALIAS: pointer,
  ANAME: pointer,
  RT: preferenceAndHost,
  LP: preferenceAndHost,
  ...Object.fromEntries(
    ["APL AMTRELAY AVC CSYNC DLV DSYNC GPOS HIP ISDN KEY L32 L64 NID", "RESINFO WALLET WKS X25 ZONEMD"]
      .flatMap((names) => names.split(" "))
      .map((type) => [type, words])
  )
}
