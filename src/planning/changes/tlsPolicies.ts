import { Array, Either } from "effect"
import { findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import { apexHost, DomainName } from "../../domain/DomainName.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { WarningFact } from "../WarningFact.ts"
import type { LiveZone } from "../zone/LiveZone.ts"
import { applyDiffs, type HostDiff } from "./diffZone.ts"
import { listMxRows, listServedHosts, listWebRows, movesHost, type ServedHost } from "./replacedServices.ts"

/** What the policies for encrypted delivery in a zone depend on. */
interface TlsPolicyInput {
  readonly zone: LiveZone
  readonly diffs: ReadonlyArray<HostDiff>
  /** The hosts of which a TLSA record pins the certificate. */
  readonly pinnedHosts: ReadonlySet<string>
  readonly lookup: DnsLookup
}

/**
 * Warns where a plan makes a mail server unfit for a policy of its senders' side: an MX that the published MTA-STS policy
 * (RFC 8461) cannot list yet, as its id stays; an MX without the TLSA record (RFC 7672) of the one that it replaces; or
 * another address behind a TLSA record.
 */
export const warnAboutTlsPolicies = ({
  diffs,
  lookup,
  pinnedHosts,
  zone
}: TlsPolicyInput): {
  readonly facts: ReadonlyArray<WarningFact>
  readonly unanswered: ReadonlyArray<LookupQuestion>
} => {
  const served = listServedHosts(zone, diffs)
  const pinnedNames = new Set([...pinnedHosts].map((host) => toName(host, zone)))
  const isPinned = (name: string) => pinnedNames.has(name)
  const movesPinnedHost = (host: ServedHost) => pinnedHosts.has(host.host) && movesHost(host)
  const losesPin = (host: ServedHost) =>
    addedServers(host).some((target) => !isPinned(target)) && removedServers(host).some(isPinned)
  const renewed = listRenewedPolicies(zone, diffs)
  const [unanswered, policies] = Array.separate(
    served
      .filter((host) => addedServers(host).length > 0 && serversOf(host.before).length > 0)
      .filter(({ host }) => !renewed.has(policyHostOf(host)))
      .map((host) =>
        Either.map(lookup({ name: toName(policyHostOf(host.host), zone), type: "TXT" }), (texts) => ({ host, texts }))
      )
  )
  const listed = policies.filter(({ texts }) => texts.some(isStsPolicy)).map(({ host }) => host)
  const rows = [
    ...served.filter(movesPinnedHost).flatMap(listWebRows),
    ...[...served.filter(losesPin), ...listed].flatMap(listMxRows)
  ]
  return { facts: rows.length === 0 ? [] : [{ warning: "tls_policy_mismatch", rows }], unanswered }
}

/** The host of the MTA-STS policy of a host (RFC 8461 section 3.1). */
const policyHostOf = (host: string): string => (host === apexHost ? "_mta-sts" : `_mta-sts.${host}`)

const isStsPolicy = (text: string): boolean => /^\s*v\s*=\s*STSv1\s*(;|$)/i.test(text)

const policyOf = (live: LiveZone, host: string) =>
  live.recordsAt(host).find((record) => findSingletonTxtKind(record) === "MTA-STS" || record.role === "CNAME")?.value

/** The hosts of MTA-STS policies that get another id, which tells senders to read the policy again. */
const listRenewedPolicies = (zone: LiveZone, diffs: ReadonlyArray<HostDiff>): ReadonlySet<string> => {
  const resulting = applyDiffs(zone, diffs)
  return new Set(
    diffs
      .map(({ host }) => host)
      .filter((host) => /^_mta-sts(\.|$)/.test(host) && policyOf(zone, host) !== policyOf(resulting, host))
  )
}

const toName = (host: string, { domain }: LiveZone): string =>
  host === apexHost ? domain : DomainName.make(`${host}.${domain}`)

const serversOf = (records: ServedHost["before"]): ReadonlyArray<string> =>
  records.filter(({ role }) => role === "MX").map(({ value }) => value)

const addedServers = ({ after, before }: ServedHost): ReadonlyArray<string> =>
  Array.difference(serversOf(after), serversOf(before))

const removedServers = ({ after, before }: ServedHost): ReadonlyArray<string> =>
  Array.difference(serversOf(before), serversOf(after))
