import type { ChangeRecord } from "../../../../src/domain/plan/Plan.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import { type DeclaredLimitations, refusedEmptyText, refusedNullMx, refusedTypes } from "../vendorContract.ts"

/** What DigitalOcean cannot do; `isRefused` says so of a record that somebody enters there. */
export const digitalOceanLimitations = (isRefused: (record: LabRecord) => boolean): DeclaredLimitations => ({
  writesInParts: "atomicity: per record",
  storesOtherwise: "values.txt: unquoted whole text",
  refused: [
    {
      about: "a CNAME at the apex of the zone",
      source: "apex_alias: none",
      matches: ({ host, type }) => type === "CNAME" && host === "@",
      code: "apex_cname_unsupported",
      examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
    },
    refusedTypes("cannot_store: DS, TLSA, HTTPS, PTR, ALIAS", types, {
      ALIAS: "web.hostprov.net",
      DS: "12345 13 2 abcd",
      HTTPS: "1 .",
      PTR: "web.hostprov.net",
      TLSA: "3 1 1 abcd"
    }),
    refusedNullMx,
    refusedEmptyText,
    {
      about: "a backslash in a text",
      source: "cannot_store: backslash in TXT",
      matches: ({ type, value }) => type === "TXT" && value.includes("\\"),
      code: "record_value_rejected",
      examples: [{ host: "backslash", type: "TXT", value: "one\\two" }]
    },
    {
      about: "a text whose quoted form is longer than 509",
      source: "cannot_store: TXT whose quoted presentation form exceeds 509 bytes",
      matches: (record) => record.type === "TXT" && !record.value.includes("\\") && quotedLength(record) > 509,
      code: "record_value_rejected",
      examples: [
        { host: "long", type: "TXT", value: "x".repeat(505) },
        { host: "quotes", type: "TXT", value: '"'.repeat(254) }
      ]
    },
    {
      about: "a blank in a CAA value",
      source: "cannot_store: spaces in a CAA value",
      matches: ({ type, value }) => type === "CAA" && /"[^"]*\s/.test(value),
      code: "record_value_rejected",
      examples: [{ host: "@", type: "CAA", value: '0 issue "ca.example policy"' }]
    },
    {
      about: "a semicolon or an escape in a CAA value",
      source: "cannot_store: ; value in CAA",
      matches: ({ type, value }) => type === "CAA" && /"[^"]*[;\\]/.test(value),
      code: "record_value_rejected",
      examples: [
        { host: "@", type: "CAA", value: '0 issue ";"' },
        { host: "@", type: "CAA", value: String.raw`0 issue "ca.example\\1"` }
      ]
    }
  ],
  absent: [
    {
      about: "types that it does not have",
      source: "cannot_store: DS, TLSA, HTTPS, PTR, ALIAS",
      matches: ({ type }) => !types.split(" ").includes(type)
    },
    {
      about: "texts and other data that its fake refuses by what it cannot store",
      source: "cannot_store: backslash in TXT",
      matches: (record) => types.split(" ").includes(record.type) && isRefused(record)
    }
  ]
})

const types = "A AAAA CAA CNAME MX NS SRV TXT"

/** Each 255 bytes have quotes of their own, with a blank between them, and quotes in the text have a backslash. */
const quotedLength = ({ value }: ChangeRecord): number => {
  const strings =
    Buffer.from(value)
      .toString("latin1")
      .match(/.{1,255}/gs) ?? []
  return strings.map((string) => JSON.stringify(string)).join(" ").length
}
