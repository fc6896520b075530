import { Either, Option } from "effect"
import { suggestionOf, type ValueIssue } from "../error/ErrorDetail.ts"
import { name, uint16 } from "./RecordField.ts"
import { defaultPriority } from "./RecordFormat.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { isUint16, parseNameOrNullTarget } from "./target.ts"

const parse = (value: string): Either.Either<string, ValueIssue> => {
  const fields = value.trim().split(/\s+/)
  const [weight = "", port = "", target = "", ...rest] = fields
  if (isUint16(weight) && isUint16(port) && target !== "" && rest.length === 0) {
    const withTarget = (name: string) => `${Number(weight)} ${Number(port)} ${name}`
    return Either.mapBoth(parseNameOrNullTarget(target), {
      onLeft: ({ suggestion, ...issue }) =>
        suggestion === undefined ? issue : { ...issue, suggestion: withTarget(suggestion) },
      onRight: withTarget
    })
  }
  const hasPriorityFirst = fields.length === 4 && isUint16(weight)
  return Either.left({
    code: "value_is_no_srv",
    message: "the value must be `weight port target` (RFC 2782); the priority has its own field, `priority`",
    ...(hasPriorityFirst ? suggestionOf(parse(fields.slice(1).join(" "))) : {})
  })
}

/** Programs look for an SRV record at `_service._proto` only (RFC 2782); a wildcard may answer there. */
const checkHost = (host: string): Option.Option<ValueIssue> => {
  const [first = "", second = "", ...rest] = host.split(".").map((label) => label.replace(/^_+/, ""))
  const isSwapped = isProtocol(first) && !isProtocol(second)
  if (host.startsWith("*") || (/^_[^_.][^.]*\._[^_.]/.test(host) && !isSwapped)) return Option.none()
  const [service, protocol] = isSwapped ? [second, first] : [first, second]
  const suggestion = [`_${service}`, `_${protocol}`, ...rest].join(".")
  return Option.some({
    code: "srv_host_malformed",
    message: "the host of an SRV record begins with `_service._proto`, each with one underscore (RFC 2782)",
    ...(isProtocol(protocol) && service !== "" ? { suggestion } : {})
  })
}

const isProtocol = (label: string): boolean => /^(tcp|udp|tls|sctp|dccp)$/.test(label)

export const srv: RecordTypeDefinition = {
  code: 33,
  fields: { priority: uint16, weight: uint16, port: uint16, target: name },
  priority: { defaultOf: () => defaultPriority },
  parse,
  checkHost,
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order: 11,
  loss: "programs no longer find this server of the service (SRV)",
  pointsTo: "mail"
}
