import { Either, Option } from "effect"
import { nullTarget } from "../../domain/DnsRecord.ts"
import { type DomainName, isAtOrBelow, toRelativeHost } from "../../domain/DomainName.ts"
import { type DnsLookup, type LookupQuestion, maxAliases, questionKey } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import {
  findAnsweringHost,
  hasRecordType,
  hostAndAncestors,
  isApex,
  type LiveRecord,
  type LiveZone
} from "./LiveZone.ts"

/** Answers from the zone what the zone holds, and everything else from the context. */
export const zoneLookup = (zone: LiveZone, context: PlanContext): DnsLookup =>
  lazyZoneLookup(zone.domain, () => zone, context)

/** The same for a zone that has to be worked out, which is done when something of its domain is asked. */
export const lazyZoneLookup = (domain: DomainName, zoneOf: () => LiveZone, { answers }: PlanContext): DnsLookup => {
  const known: Array<LiveZone> = []
  const zoneKnown = () => (known[0] ??= zoneOf())
  const follow = (question: LookupQuestion, aliases: number): ReturnType<DnsLookup> => {
    if (!isAtOrBelow(question.name, domain)) {
      return Either.fromNullable(answers.get(questionKey(question)), () => question)
    }
    const zone = zoneKnown()
    const host = hostIn(zone, question.name)
    const records = Option.match(host, { onNone: () => [], onSome: (host) => heldAt(zone, host) })
    const alias = records.find(({ role }) => role === "CNAME")?.value
    if (alias !== undefined && alias !== nullTarget) {
      return aliases === 0 ? Either.left(question) : follow({ ...question, name: alias }, aliases - 1)
    }
    const values = records.filter(({ type }) => type === question.type).map(({ value }) => value)
    return values.length > 0 || (Option.isSome(host) && zone.basis === "provider")
      ? Either.right(values)
      : Either.fromNullable(answers.get(questionKey(question)), () => question)
  }
  const told = new Map<string, ReturnType<DnsLookup>>()
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
    toRelativeHost(name, zone.domain),
    (host) =>
      !hostAndAncestors(host).some(
        (above) =>
          (!isApex(zone, above) && hasRecordType(zone, above, "NS")) ||
          (above !== host && hasRecordType(zone, above, "DNAME"))
      )
  )

/** Of a zone that is read in public a wildcard lends to hosts that were asked for, and these were told apart. */
const heldAt = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> =>
  zone.recordsAt(zone.basis === "public_dns" ? host : findAnsweringHost(zone, host))
