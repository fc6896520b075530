import { Array, Option } from "effect"
import type { Delegation } from "../../dns/zone/Delegation.ts"
import { recordDataKeyOf } from "../../dns/zone/ResponseIndex.ts"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import { isUnreachable } from "../../dns/transport/Query.ts"
import { digestAnswer } from "../../dns/zone/digestAnswer.ts"
import { type KeptAnswer, type KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import { DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import type { ServerComparison } from "./combineObservations.ts"

/**
 * The answers that single servers are asked for: RRsets of required records that all servers show alike, and of the
 * other family beside an address, which excludes what is not desired. Servers that did not answer may show anything once
 * they are back, so they are named; one that answered in part has to have shown the required records that it answered. None where an alias is served as
 * addresses, or SPF permits by other policies, which other zones' answers decide each time; none without a required
 * record.
 */
export const keepAnswers = (
  { domain, records }: EffectiveIntent,
  servers: ReadonlyArray<ServerComparison>,
  { keptUntil = 0, zone }: Delegation
): Option.Option<KeptAnswers> => {
  const required = records.flatMap((record, index) => (record.optional ? [] : [{ record, index }]))
  const [answering, silent] = Array.partition(servers, ({ view }) =>
    required.some(({ record }) => isSilent(record, view))
  )
  const areExact = servers.every(({ compared, view }) =>
    required.every(({ index, record }) => compared[index]?.isExact === true || isSilent(record, view))
  )
  const views = answering.map(({ view }) => view)
  const addresses = addressesOf(answering)
  if (required.length === 0 || addresses.length === 0 || !areExact) return Option.none()
  const questions = Array.dedupeWith(
    required.flatMap(({ record }) => {
      const [own, ...others] = withOtherFamily(record)
      return [own, ...others.filter((other) => !views.some((view) => isUnknown(other, view)))]
    }),
    (one, other) => one.host === other.host && one.type === other.type
  )
  return Option.map(
    Option.all(questions.map((question) => keepAnswer(question, DomainName.make(domain), views))),
    (answers) => ({
      zone,
      servers: addresses,
      silentServers: Array.difference(addressesOf(silent), addresses),
      serversUntil: keptUntil,
      answers
    })
  )
}

const addressesOf = (servers: ReadonlyArray<ServerComparison>): ReadonlyArray<string> =>
  Array.dedupe(servers.flatMap(({ view }) => view.server.addresses.slice(0, 1)))

type KeptRRset = Pick<DnsRecord, "host" | "type">

/** The RRset of a record, and beside an address that of the other family. */
export const withOtherFamily = ({ host, type }: KeptRRset): readonly [KeptRRset, ...ReadonlyArray<KeptRRset>] => {
  const other = otherFamilies[type]
  return other === undefined
    ? [{ host, type }]
    : [
        { host, type },
        { host, type: other }
      ]
}

const otherFamilies: { readonly [T in DnsRecord["type"]]?: DnsRecord["type"] } = { A: "AAAA", AAAA: "A" }

const isUnknown = ({ host, type }: KeptRRset, { unknownRRsets }: ServerView): boolean =>
  unknownRRsets.some((open) => open.host === host && open.type === type)

/** Whether a server with an address sent nothing at all to the question. */
const isSilent = ({ host, type }: KeptRRset, { server, unknownRRsets }: ServerView): boolean =>
  server.addresses.length > 0 &&
  unknownRRsets.some((open) => open.host === host && open.type === type && isUnreachable(open))

const keepAnswer = (
  question: KeptRRset,
  domain: DomainName,
  views: ReadonlyArray<ServerView>
): Option.Option<KeptAnswer> => {
  const { host, type } = question
  const [data = "", ...others] = new Set(views.map((view) => dataAt(question, view)))
  // A delegation below the zone is shown by a referral, which is no answer.
  return type === "NS" || others.length > 0
    ? Option.none()
    : Option.some({ name: toFqdn(host, domain), type, digest: digestAnswer(data) })
}

/** The data of an RRset as `rrsetDataKeyOf` has it. */
const dataAt = ({ host, type }: KeptRRset, { zone }: ServerView): string =>
  zone.records
    .filter((record) => record.host === host && record.type === type)
    .map((record) => recordDataKeyOf(record))
    .toSorted()
    .join("\n")
