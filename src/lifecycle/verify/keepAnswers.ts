import { Array, Option } from "effect"
import type { Delegation } from "../../dns/zone/Delegation.ts"
import { recordDataKeyOf } from "../../dns/zone/ResponseIndex.ts"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import { digestAnswer, type KeptAnswer, type KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import { DomainName, toFqdn } from "../../domain/names/DomainName.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"

/**
 * Keeps the answers that single servers are asked for from now on: the RRsets of the required records, of servers that
 * all show the same. None where that is not so: an alias that is served as addresses has to be compared with its target
 * each time.
 */
export const keepAnswers = (
  { domain, records }: EffectiveIntent,
  views: ReadonlyArray<ServerView>,
  { keptUntil = 0, zone }: Delegation
): Option.Option<KeptAnswers> => {
  const required = Array.dedupeWith(
    records.filter(({ optional }) => !optional),
    (one, other) => one.host === other.host && one.type === other.type
  )
  const answering = views.filter((view) => !required.some((record) => isUnknown(record, view)))
  const answers = required.map((record) => keepAnswer(record, DomainName.make(domain), answering))
  const servers = answering.flatMap(({ server }) => server.addresses.slice(0, 1))
  return servers.length === 0
    ? Option.none()
    : Option.map(Option.all(answers), (kept) => ({
        zone,
        servers: Array.dedupe(servers),
        serversUntil: keptUntil,
        answers: kept
      }))
}

type RequiredRRset = Pick<DnsRecord, "host" | "type">

const isUnknown = ({ host, type }: RequiredRRset, { unknownRRsets }: ServerView): boolean =>
  unknownRRsets.some((open) => open.host === host && open.type === type)

const keepAnswer = (
  question: RequiredRRset,
  domain: DomainName,
  views: ReadonlyArray<ServerView>
): Option.Option<KeptAnswer> => {
  const { host, type } = question
  const [data = "", ...others] = new Set(views.map((view) => dataAt(question, view)))
  // A delegation below the zone is shown by a referral, which is no answer.
  return data === "" || type === "NS" || others.length > 0
    ? Option.none()
    : Option.some({ name: toFqdn(host, domain), type, digest: digestAnswer(data) })
}

/** The data of an RRset as `rrsetDataKeyOf` has it. */
const dataAt = ({ host, type }: RequiredRRset, { zone }: ServerView): string =>
  zone.records
    .filter((record) => record.host === host && record.type === type)
    .map((record) => recordDataKeyOf(record))
    .toSorted()
    .join("\n")
