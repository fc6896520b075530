import { Array, Either, Option, Order } from "effect"
import type { ZoneRecord } from "../domain/DnsRecord.ts"
import { apexHost, type DomainName, isWithin } from "../domain/DomainName.ts"
import type { AskedName } from "./namesToAsk.ts"
import type { NoAnswer } from "./NoAnswer.ts"
import { ServerAnswer } from "./serverAnswer.ts"
import type { ResourceRecord } from "./wire/decodeAnswer.ts"
import type { RecordData } from "./wire/recordData.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** What one authoritative server holds at the hosts that were asked for, and which questions it left open. */
export interface ServerReading {
  readonly nameServer: string
  readonly records: ReadonlyArray<ZoneRecord>
  readonly open: ReadonlyArray<OpenQuestion>
}

/** A question without an answer; `name` is absolute and begins with `*` for a wildcard. */
export interface OpenQuestion {
  readonly name: string
  readonly type: string
  readonly reason: NoAnswer["reason"]
}

/** What one server said to the question for one type of one name. */
export interface Said {
  readonly asked: AskedName
  readonly type: TypeName
  readonly answer: Either.Either<ServerAnswer, NoAnswer>
}

/** The records that one server has for the question for one type of one name. */
export interface Held {
  readonly name: string
  readonly type: TypeName
  readonly records: Either.Either<ReadonlyArray<ResourceRecord>, NoAnswer>
}

/** Tells records from what a wildcard only lends to names that do not exist (RFC 4592). */
export const heldBy = (said: ReadonlyArray<Said>): ReadonlyArray<Held> => {
  const found = new Map(said.map((one) => [keyOf(one.asked.owner, one.type), Either.map(one.answer, findIn(one))]))
  const at = (owner: string, type: TypeName) => found.get(keyOf(owner, type)) ?? Either.right(nothing)
  return said.map(({ asked, type }) => {
    const { owner: name, types, wildcard } = asked
    if (wildcard === undefined) return { name, type, records: Either.map(at(name, type), all) }
    // A name that exists gets nothing from a wildcard, so that its answers differ in some type, or hold nothing.
    const lent = types.every((each) => sameData(at(name, each), at(wildcard, each)))
    const known = Either.flatMap(at(wildcard, type), () => at(name, type))
    return { name, type, records: Either.map(known, (finding) => (lent ? finding.elsewhere : all(finding))) }
  })
}

/** A server's records with hosts relative to the domain, and the questions that it left open. */
export const readingOf = (nameServer: string, held: ReadonlyArray<Held>, domain: DomainName): ServerReading => ({
  nameServer,
  records: zoneRecords(held, domain),
  open: held.flatMap(({ name, records, type }) =>
    Either.isLeft(records) ? [{ name, type, reason: records.left.reason }] : []
  )
})

/** Every record once, with its lowest TTL. */
export const zoneRecords = (held: ReadonlyArray<Held>, domain: DomainName): ReadonlyArray<ZoneRecord> => {
  const records = Array.getRights(held.map((one) => one.records))
    .flat()
    .flatMap(({ name, ...data }) => hostsOf(name, data.type, domain).map((host) => ({ host, ...data })))
  const same = Array.groupBy(records, (record) => `${record.host} ${dataOf(record)}`)
  return Object.values(same).map((equal) => ({ ...equal[0], ttl: Math.min(...equal.map(({ ttl }) => ttl)) }))
}

/** Whether servers that answered the same question hold different records. */
export const disagree = (servers: ReadonlyArray<ReadonlyArray<Held>>): boolean =>
  Object.values(Array.groupBy(servers.flat(), ({ name, type }) => keyOf(name, type))).some(
    (answers) => new Set(Array.getRights(answers.map(({ records }) => records)).map(dataOfAll)).size > 1
  )

/** The questions, `name type`, that none of the servers answered. */
export const unanswered = (
  names: ReadonlyArray<AskedName>,
  servers: ReadonlyArray<ReadonlyArray<Held>>
): ReadonlyArray<string> => {
  const known = servers.flat().filter(({ records }) => Either.isRight(records))
  const answered = new Set(known.map(({ name, type }) => keyOf(name, type)))
  return names
    .flatMap(({ owner, types }) => types.map((type) => keyOf(owner, type)))
    .filter((key) => !answered.has(key))
}

const keyOf = (name: string, type: string): string => `${name} ${type}`

/** Records of the name that was asked for, and those of a name above it by which everything below is elsewhere. */
interface Finding {
  readonly own: ReadonlyArray<ResourceRecord>
  readonly elsewhere: ReadonlyArray<ResourceRecord>
}

const nothing: Finding = { own: [], elsewhere: [] }

const all = ({ elsewhere, own }: Finding): ReadonlyArray<ResourceRecord> => [...own, ...elsewhere]

/**
 * Of a chain of aliases only the first link is at the name; a DNAME brings aliases that nobody wrote (RFC 6672). Below a
 * cut nothing is at the name but glue.
 */
const findIn =
  ({ asked: { name, owner }, type }: Said) =>
  (answer: ServerAnswer): Finding =>
    ServerAnswer.$match(answer, {
      Referral: ({ glue, nameServers }) => ({
        own: Array.sort(glue, byData).filter((record) => record.name === owner && record.type === type),
        elsewhere: Array.sort(nameServers, byData)
      }),
      Authoritative: ({ message }) => {
        const answers = Array.sort(message.answers, byData)
        const redirects = answers.filter((_) => _.type === "DNAME" && _.name !== name && isWithin(name, _.name))
        const own = answers.filter((_) => _.name === name && (_.type === type || _.type === "CNAME"))
        return redirects.length > 0
          ? { own: [], elsewhere: redirects }
          : { own: own.map((record) => ({ ...record, name: owner })), elsewhere: [] }
      }
    })

/** Where one of them is unknown, no difference is known. */
const sameData = (one: Either.Either<Finding, NoAnswer>, other: Either.Either<Finding, NoAnswer>): boolean =>
  Either.isLeft(one) || Either.isLeft(other) || dataOfAll(one.right.own) === dataOfAll(other.right.own)

const dataOfAll = (records: ReadonlyArray<ResourceRecord>): string => records.map(dataOf).toSorted().join("\n")

const dataOf = ({ priority, type, value }: RecordData & { readonly type: string }): string =>
  `${type} ${priority ?? ""} ${value}`

const byData = Order.mapInput(Order.string, dataOf)

/** The host of an absolute name at or below the domain, relative to it. */
export const hostWithin = (name: string, domain: DomainName): Option.Option<string> => {
  if (name === domain) return Option.some(apexHost)
  return isWithin(name, domain) ? Option.some(name.slice(0, -domain.length - 1)) : Option.none()
}

/** The domain itself stands for a name above it that sends the whole domain elsewhere; else that name has no host. */
const hostsOf = (name: string, type: string, domain: DomainName): ReadonlyArray<string> => {
  const sendsElsewhere = name !== domain && isWithin(domain, name) && (type === "NS" || type === "DNAME")
  return sendsElsewhere ? [apexHost] : Option.toArray(hostWithin(name, domain))
}
