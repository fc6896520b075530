import { Array, Either } from "effect"
import type { ZoneRecord } from "../domain/DnsRecord.ts"
import type { DomainName } from "../domain/DomainName.ts"
import { dataOf, dataOfAll, findingsIn, keyOf } from "./findings.ts"
import type { Said } from "./inquiries.ts"
import { hostsOf } from "./hostsOf.ts"
import type { AskedName } from "./namesToAsk.ts"
import { NoAnswer } from "./NoAnswer.ts"
import { existenceIn } from "./wildcardDoubts.ts"
import type { ResourceRecord } from "./wire/decodeAnswer.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** The records that one server has for the question for one type of one name. */
export interface Held {
  readonly name: string
  readonly type: TypeName
  readonly records: Either.Either<ReadonlyArray<ResourceRecord>, NoAnswer>
}

/** Tells records from what a wildcard only lends to names that do not exist (RFC 4592); `below`: see `Doubts`. */
export const heldBy = (said: ReadonlyArray<Said>, below: ReadonlyArray<Said>): ReadonlyArray<Held> => {
  const findings = findingsIn(said)
  const exists = existenceIn(said, findings, below)
  return said.map(({ asked: { owner: name, wildcard }, type }) => {
    const found = Either.flatMap(findings(wildcard, type), () => findings(name, type))
    const records = Either.flatMap(found, ({ elsewhere, own }) =>
      Either.map(own.length === 0 ? Either.right(true) : exists(name), (isOwn) => [...(isOwn ? own : []), ...elsewhere])
    )
    return { name, type, records }
  })
}

/** Nothing is known to any of the questions, for one reason. */
export const nothingHeld = (
  names: ReadonlyArray<Pick<AskedName, "owner" | "types">>,
  reason: NoAnswer["reason"]
): ReadonlyArray<Held> =>
  names.flatMap(({ owner: name, types }) =>
    types.map((type) => ({ name, type, records: Either.left(new NoAnswer({ reason })) }))
  )

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

/** The questions, `name type`, that none of the servers answered, or all where there is no server. */
export const unanswered = (
  names: ReadonlyArray<Pick<AskedName, "owner" | "types">>,
  servers: ReadonlyArray<ReadonlyArray<Held>>
): ReadonlyArray<string> => {
  const [open, known] = Array.partition(servers.flat(), ({ records }) => Either.isRight(records))
  const answered = new Set(known.map(({ name, type }) => keyOf(name, type)))
  const asked = names.flatMap(({ owner, types }) => types.map((type) => keyOf(owner, type)))
  const askedBesides = open.map(({ name, type }) => keyOf(name, type))
  return [...new Set([...asked, ...askedBesides])].filter((key) => !answered.has(key))
}
