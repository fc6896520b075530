import { ipv6 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { parseAddress } from "./parseAddress.ts"

export const aaaa: RecordTypeDefinition = {
  code: 28,
  fields: { address: ipv6 },
  parse: parseAddress(6),
  conflicts: { replaces: "set", excludes: ["A", "CNAME", "ALIAS", "HTTPS", "SVCB", "WEB"] },
  order: 1
}
