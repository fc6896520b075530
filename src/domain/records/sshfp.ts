import { hex, uint8 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { findDigestFault, joinDigits, parsePresentation } from "./parsePresentation.ts"

const fields = { algorithm: uint8, type: uint8, fingerprint: hex }

/** The fingerprints SHA-1 and SHA-256 (RFC 4255, RFC 6594). */
const fingerprintBytes = { 1: 20, 2: 32 }

export const sshfp: RecordTypeDefinition = {
  code: 44,
  fields,
  parse: parsePresentation({
    type: "SSHFP",
    fields,
    form: "`algorithm type fingerprint`, the last one in hexadecimal, as `ssh-keygen -r` prints them (RFC 4255)",
    findFault: ([, type = "", fingerprint = ""]) => findDigestFault(fingerprint, type, fingerprintBytes),
    mend: joinDigits(2)
  }),
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 6,
  loss: "SSH clients no longer recognize the server by its key (SSHFP)",
  queried: "rarely"
}
