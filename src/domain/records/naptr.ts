import { characterString, name, uint16 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { parsePresentation } from "./parsePresentation.ts"
import { bytesOf, charactersOf } from "./presentation.ts"
import { nullTarget } from "./target.ts"

const fields = {
  order: uint16,
  preference: uint16,
  flags: characterString,
  service: characterString,
  regex: characterString,
  replacement: name
}

/** RFC 3402 section 3.2: `!expression!replacement!`, with another delimiter perhaps, and the flag `i`. */
const isSubstitution = (text: string): boolean => {
  const [before, expression, , flags, ...rest] = text.replace(/\\./gs, "_").split(text.charAt(0))
  return before === "" && expression !== "" && /^i?$/.test(flags ?? "-") && rest.length === 0
}

export const naptr: RecordTypeDefinition = {
  code: 35,
  fields,
  parse: parsePresentation({
    type: "NAPTR",
    fields,
    form: '`order preference "flags" "service" "regexp" replacement`, where `.` is no replacement (RFC 3403)',
    findFault: ([, , , , regex = "", replacement = ""]) => {
      if (regex === '""') return undefined
      if (replacement !== nullTarget) return "it has both a regexp and a replacement"
      return isSubstitution(charactersOf(bytesOf(regex)))
        ? undefined
        : "the regexp is an expression and its replacement, each between the same delimiter"
    }
  }),
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 11,
  loss: "calls and programs no longer find this service (NAPTR)",
  pointsTo: "mail",
  queried: "rarely"
}
