import { Either, Option } from "effect"
import { type DomainName, isAtOrBelow, toRelativeHost } from "../../domain/names/DomainName.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { type DnsLookup, type LookupQuestion, maxAliases, questionKeyOf } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { isAddressRole } from "../RecordRole.ts"
import { hasRecordType, isApex, listHostAndAncestors, type LiveRecord, type LiveZone } from "./LiveZone.ts"
import { listAnswers } from "./wildcards.ts"

/** Makes a lookup that answers from the zone if possible, and from the context otherwise. */
export const makeZoneLookup = (zone: LiveZone, context: PlanContext): DnsLookup =>
  makeLazyZoneLookup(zone.domain, () => zone, context)

/** Makes such a lookup for a zone that is computed at the first question about its domain. */
export const makeLazyZoneLookup = (
  domain: DomainName,
  computeZone: () => LiveZone,
  { answers }: PlanContext
): DnsLookup => {
  let computedZone: LiveZone | undefined
  const zoneOnce = () => (computedZone ??= computeZone())
  const follow = (question: LookupQuestion, aliases: number): ReturnType<DnsLookup> => {
    if (!isAtOrBelow(question.name, domain)) {
      return Either.fromNullable(answers.get(questionKeyOf(question)), () => question)
    }
    const zone = zoneOnce()
    const host = hostIn(zone, question.name)
    const records = Option.match(host, { onNone: () => [], onSome: (host) => answeringRecords(zone, host) })
    const alias = records.find(
      ({ role }) => role === "CNAME" || (role === "ALIAS" && isAddressRole(question.type))
    )?.value
    if (alias !== undefined && alias !== nullTarget) {
      return aliases === 0 ? Either.left(question) : follow({ ...question, name: alias }, aliases - 1)
    }
    const values = records.filter(({ type }) => type === question.type).map(({ value }) => value)
    return values.length > 0 || (Option.isSome(host) && zone.basis === "provider")
      ? Either.right(values)
      : Either.fromNullable(answers.get(questionKeyOf(question)), () => question)
  }
  const cache = new Map<string, ReturnType<DnsLookup>>()
  return (question) => {
    const key = questionKeyOf(question)
    const answer = cache.get(key) ?? follow(question, maxAliases)
    cache.set(key, answer)
    return answer
  }
}

/** The host of a name; none if another zone answers for the name. */
const hostIn = (zone: LiveZone, name: string): Option.Option<string> =>
  Option.filter(
    toRelativeHost(name, zone.domain),
    (host) =>
      !listHostAndAncestors(host).some(
        (above) =>
          (!isApex(zone, above) && hasRecordType(zone, above, "NS")) ||
          (above !== host && hasRecordType(zone, above, "DNAME"))
      )
  )

/** The records that answer for a host; in a public read, hosts already have those of their wildcard. */
const answeringRecords = (zone: LiveZone, host: string): ReadonlyArray<LiveRecord> =>
  zone.basis === "public_dns" ? zone.recordsAt(host) : listAnswers(zone, host)
