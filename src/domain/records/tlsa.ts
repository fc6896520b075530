import { hex, uint8 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { findDigestFault, joinDigits, parsePresentation } from "./parsePresentation.ts"
import { checkServiceHost } from "./serviceHost.ts"

const fields = { usage: uint8, selector: uint8, matchingType: uint8, certificate: hex }

/** The digests SHA-256 and SHA-512 (RFC 6698 section 7.4). */
const digestBytes = { 1: 32, 2: 64 }

export const tlsa: RecordTypeDefinition = {
  code: 52,
  fields,
  parse: parsePresentation({
    type: "TLSA",
    fields,
    form: "`usage selector matching-type certificate`, the last one in hexadecimal (RFC 6698)",
    findFault: ([, , matchingType = "", certificate = ""]) => findDigestFault(certificate, matchingType, digestBytes),
    mend: joinDigits(3)
  }),
  checkHost: checkServiceHost("_port._proto", /^_(\d+|\*)\._[^_.]/, "RFC 6698"),
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 6,
  loss: "programs no longer know the certificate of this service by its TLSA record",
  queried: "rarely"
}
