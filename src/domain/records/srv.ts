import { Either, Option } from "effect"
import { suggestionOf, suggestName, type ValueIssue } from "../error/ErrorDetail.ts"
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
  return Either.left({
    code: "value_is_no_srv",
    message: "the value must be `weight port target` (RFC 2782); the priority has its own field, `priority`",
    ...Option.match(respell(value), { onNone: () => ({}), onSome: (respelled) => suggestionOf(parse(respelled)) })
  })
}

/** The value with blanks between its fields, a weight if that alone is missing, and without the priority in front. */
const respell = (value: string): Option.Option<string> => {
  const fields = value.trim().split(/[\s,;]+|(?<=\d):(?=\S)/)
  const numbers = fields.slice(0, -1)
  const weightAndPort = numbers.length === 1 ? ["0", ...numbers] : numbers.slice(-2)
  const isSrv = numbers.length > 0 && numbers.length < 4 && numbers.every(isUint16) && !isUint16(fields.at(-1) ?? "")
  return Option.liftPredicate([...weightAndPort, ...fields.slice(-1)].join(" "), (text) => isSrv && text !== value)
}

/** Programs look for an SRV record at `_service._proto` only (RFC 2782); a wildcard may answer there. */
const checkHost = (host: string): Option.Option<ValueIssue> =>
  host.startsWith("*") || (/^_[^_.][^.]*\._[^_.]/.test(host) && !isMisspelled(host.split(".")))
    ? Option.none()
    : Option.some({
        code: "srv_host_malformed",
        message: "the host of an SRV record begins with `_service._proto`, each with one underscore (RFC 2782)",
        ...respellHost(host)
      })

/** Whether the protocol stands in front of the service, or nearly has the name of a known one. */
const isMisspelled = ([service = "", protocol = ""]: ReadonlyArray<string>): boolean => {
  const known = protocolOf(protocol)
  return known === undefined ? protocols.includes(bare(service)) : known !== bare(protocol)
}

/** The service and the protocol at the beginning, each with one underscore; nothing where no protocol is known. */
const respellHost = (host: string): Pick<ValueIssue, "suggestion"> => {
  const labels = host.replace(joinedProtocol, "$1._$2").split(".")
  const at = labels.findIndex((label) => protocolOf(label) !== undefined)
  const protocol = protocolOf(labels[at] ?? "")
  const serviceAt = at === 0 ? 1 : at - 1
  const service = bare(labels[serviceAt] ?? "")
  const rest = labels.filter((_, index) => index !== at && index !== serviceAt)
  return protocol === undefined || service === ""
    ? {}
    : { suggestion: [`_${service}`, `_${protocol}`, ...rest].join(".") }
}

/** A service and its protocol in one label, such as `_sip_tls`. */
const joinedProtocol = /^(_*[^._]+?)[-_]+(tcp|udp|tls)(?=\.|$)/

const bare = (label: string): string => label.replace(/^_+/, "")

/** The protocol that a label names, or nearly names. */
const protocolOf = (label: string): string | undefined => {
  const name = bare(label)
  if (protocols.includes(name)) return name
  return label.startsWith("_") ? suggestName(name, protocols) : undefined
}

const protocols = ["tcp", "udp", "tls", "dtls", "sctp", "dccp", "quic"]

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
