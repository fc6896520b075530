import { name } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { parseTargetName } from "./target.ts"

export const ns: RecordTypeDefinition = {
  code: 2,
  fields: { target: name },
  parse: parseTargetName,
  conflicts: { replaces: "set", excludes: [] },
  order: 13,
  pointsTo: "nameServers"
}
