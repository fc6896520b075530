import { hex, uint16, uint8 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { findDigestFault, joinDigits, parsePresentation } from "./parsePresentation.ts"

const fields = { keyTag: uint16, algorithm: uint8, digestType: uint8, digest: hex }

/** The digests SHA-1, SHA-256 and SHA-384 (RFC 4034, RFC 4509, RFC 6605). */
const digestBytes = { 1: 20, 2: 32, 4: 48 }

export const ds: RecordTypeDefinition = {
  code: 43,
  fields,
  parse: parsePresentation({
    type: "DS",
    fields,
    form: "`key-tag algorithm digest-type digest`, the last one in hexadecimal (RFC 4034)",
    findFault: ([, , digestType = "", digest = ""]) => findDigestFault(digest, digestType, digestBytes),
    mend: joinDigits(3)
  }),
  belongsToDelegation: true,
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 15
}
