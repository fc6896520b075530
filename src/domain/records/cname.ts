import { name } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { parseTargetName } from "./target.ts"

export const cname: RecordTypeDefinition = {
  code: 5,
  fields: { target: name },
  parse: parseTargetName,
  conflicts: { replaces: "set", excludes: "all" },
  order: 4
}
