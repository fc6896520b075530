import { ipv4 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { parseAddress } from "./parseAddress.ts"

export const a: RecordTypeDefinition = {
  code: 1,
  fields: { address: ipv4 },
  parse: parseAddress(4),
  conflicts: { replaces: "set", excludes: ["AAAA", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  order: 0
}
