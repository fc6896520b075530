import { Either, Option } from "effect"
import { noTarget } from "../../domain/DnsRecord.ts"
import { type DomainName, hostWithin, isWithin } from "../../domain/DomainName.ts"
import { type Lookup, maxAliases, type Question, questionKey } from "../Lookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { answeringHost, isApex, type LiveRecord, type LiveZone, selfAndAbove, serves } from "./LiveZone.ts"

/** Answers from the zone what the zone holds, and everything else from the context. */
export const zoneLookup = (zone: LiveZone, context: PlanContext): Lookup =>
  lazyZoneLookup(zone.domain, () => zone, context)

/** The same for a zone that has to be worked out, which is done when something of its domain is asked. */
export const lazyZoneLookup = (domain: DomainName, zoneOf: () => LiveZone, { answers }: PlanContext): Lookup => {
  const known: Array<LiveZone> = []
  const zoneKnown = () => (known[0] ??= zoneOf())
  const follow = (question: Question, aliases: number): ReturnType<Lookup> => {
    if (!isWithin(question.name, domain)) {
      return Either.fromNullable(answers.get(questionKey(question)), () => question)
    }
    const zone = zoneKnown()
    const host = hostIn(zone, question.name)
    const records = Option.match(host, { onNone: () => [], onSome: (host) => heldAt(zone, host) })
    const alias = records.find(({ role }) => role === "CNAME")?.value
    if (alias !== undefined && alias !== noTarget) {
      return aliases === 0 ? Either.left(question) : follow({ ...question, name: alias }, aliases - 1)
    }
    const values = records.filter(({ type }) => type === question.type).map(({ value }) => value)
    return values.length > 0 || (Option.isSome(host) && zone.basis === "provider")
      ? Either.right(values)
      : Either.fromNullable(answers.get(questionKey(question)), () => question)
  }
  const told = new Map<string, ReturnType<Lookup>>()
  return (question) => {
    const key = questionKey(question)
    const answer = told.get(key) ?? follow(question, maxAliases)
    told.set(key, answer)
    return answer
  }
}

/** The host of a name that this zone and no other answers for. */
const hostIn = (zone: LiveZone, name: string): Option.Option<string> =>
  Option.filter(
    hostWithin(name, zone.domain),
    (host) =>
      !selfAndAbove(host).some(
        (above) =>
          (!isApex(zone, above) && serves(zone, above, "NS")) || (above !== host && serves(zone, above, "DNAME"))
      )
  )

/** Of a zone that is read in public a wildcard lends to hosts that were asked for, and these were told apart. */
const heldAt = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> =>
  zone.recordsAt(zone.basis === "public_dns" ? host : answeringHost(zone, host))
