import { Either, Option } from "effect"
import { refuse, suggestionOf, type ValueIssue } from "../error/ErrorDetail.ts"
import { name, uint16 } from "./RecordField.ts"
import { defaultPriority } from "./RecordFormat.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { isUint16, nullTarget, parseNameOrNullTarget } from "./target.ts"

const parse = (value: string): Either.Either<string, ValueIssue> => {
  if (/^\s*\d+\s*$/.test(value))
    return refuse("value_has_priority", "the value must be a host; a number alone belongs in `priority`")
  const { priority, target = "" } = (priorityFirst.exec(value) ?? priorityLast.exec(value))?.groups ?? {}
  if (priority === undefined) return parseNameOrNullTarget(value)
  const hint = isUint16(priority) ? `: ${Number(priority)}` : ", where it may be 0 to 65535"
  const message = `the value is the host alone; the number belongs in \`priority\`${hint}`
  return Either.left({ code: "value_has_priority", message, ...suggestionOf(parseNameOrNullTarget(target)) })
}

const priorityFirst = /^\s*(?<priority>\d{1,5})\s+(?<target>\S+)\s*$/
const priorityLast = /^\s*(?<target>\S+)\s+(?<priority>\d{1,5})\s*$/

export const mx: RecordTypeDefinition = {
  code: 15,
  fields: { priority: uint16, target: name },
  priority: {
    defaultOf: (value) => (value === nullTarget ? 0 : defaultPriority),
    check: (value, priority) =>
      value === nullTarget && priority !== 0
        ? Option.some({ code: "null_mx_priority", message: "a null MX has the priority 0 (RFC 7505 section 3)" })
        : Option.none()
  },
  parse,
  standsAlone: (value) =>
    value === nullTarget
      ? { code: "null_mx_not_alone", message: "a null MX must be the only MX of its host (RFC 7505 section 3)" }
      : undefined,
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 12,
  pointsTo: "mail"
}
