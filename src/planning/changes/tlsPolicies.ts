import { Array, Either } from "effect"
import { apexHost, DomainName } from "../../domain/names/DomainName.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import { type LocatedWarning, warnAboutUnanswered } from "../LocatedWarning.ts"
import { hasImplicitMx } from "../zone/implicitMx.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { isWildcard, type LiveZone } from "../zone/LiveZone.ts"
import type { PlanRow } from "./diffZone.ts"
import { listMxRows, listWebRows, movesHost, movesImplicitMx, type ServedHost } from "./replacedServices.ts"

/**
 * Warns where a mail server no longer matches its MTA-STS policy (RFC 8461), which cannot list a new MX or CNAME while
 * its id stays, or its TLSA record (RFC 7672): a server without one takes over, or an address moves.
 */
export const warnAboutTlsPolicies = (
  indexed: IndexedZone,
  { lookup, resulting, servedHosts }: TlsPolicyContext
): { readonly locatedWarnings: ReadonlyArray<LocatedWarning>; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const { zone } = indexed
  const renewed = listRenewedPolicies(zone, resulting, servedHosts)
  const isPinned = makePinCheck(indexed, lookup)
  const checks = servedHosts.flatMap((served): ReadonlyArray<LocatedCheck> => [
    { rows: listWebRows(served), ...checkMovedHost(served, indexed, isPinned) },
    { rows: listMxRows(served), ...checkReplacedServers(served, isPinned) },
    {
      rows: [...listMxRows(served), ...served.rows.filter(({ after }) => after?.type === "CNAME")],
      ...(renewed.has(mtaStsHostOf(served.host)) ? noMismatch : checkStsPolicy(served, zone, lookup))
    }
  ])
  const rows = checks.flatMap((check) => (check.isMismatch ? check.rows : []))
  return {
    locatedWarnings: [
      ...(rows.length === 0 ? [] : [{ warning: "tls_policy_mismatch" as const, rows }]),
      ...checks.flatMap((check) => (check.isMismatch ? [] : warnAboutUnanswered(check.rows, check.unanswered)))
    ],
    unanswered: checks.flatMap(({ unanswered }) => unanswered)
  }
}

interface TlsPolicyContext {
  readonly servedHosts: ReadonlyArray<ServedHost>
  readonly resulting: LiveZone
  readonly lookup: DnsLookup
}

/** Whether a policy no longer matches, as far as that is known. */
interface PolicyCheck {
  readonly isMismatch: boolean
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

interface LocatedCheck extends PolicyCheck {
  readonly rows: ReadonlyArray<PlanRow>
}

const noMismatch: PolicyCheck = { isMismatch: false, unanswered: [] }

type PinCheck = (name: string) => Either.Either<boolean, LookupQuestion>

/** Makes the test whether a TLSA record pins the certificate of a mail server. */
const makePinCheck = ({ pinnedHosts, zone }: IndexedZone, lookup: DnsLookup): PinCheck => {
  const pinnedNames = new Set([...pinnedHosts].map((host) => toName(host, zone)))
  return (name) =>
    pinnedNames.has(name)
      ? Either.right(true)
      : Either.map(lookup({ name: `_25._tcp.${name}`, type: "TLSA" }), (records) => records.length > 0)
}

/** Whether the address behind a TLSA record moves, also by aliases. A public read tells nothing of these records. */
const checkMovedHost = (served: ServedHost, { targets }: IndexedZone, isPinned: PinCheck): PolicyCheck => {
  if (!movesHost(served)) return noMismatch
  if (targets.pinned.hosts.has(served.host)) return { isMismatch: true, unanswered: [] }
  const isMailServer = (targets.mail.hosts.has(served.host) && !isWildcard(served.host)) || movesImplicitMx(served)
  return isMailServer ? toCheck(isPinned(served.name)) : noMismatch
}

const toCheck: (mismatch: ReturnType<PinCheck>) => PolicyCheck = Either.match({
  onLeft: (question) => ({ isMismatch: false, unanswered: [question] }),
  onRight: (isMismatch) => ({ isMismatch, unanswered: [] })
})

/** Whether a mail server with a TLSA record, wherever it is, gives way to one that has none, as far as anybody answers. */
const checkReplacedServers = (served: ServedHost, isPinned: PinCheck): PolicyCheck => {
  const added = addedServers(served)
  const removed = added.length === 0 ? [] : removedServers(served)
  const [unknown, pins] = Array.separate(removed.map(isPinned))
  if (!pins.includes(true)) return { isMismatch: false, unanswered: unknown }
  const successors = added.map(isPinned)
  return {
    isMismatch: successors.some((pin) => !Either.getOrElse(pin, () => false)),
    unanswered: [...unknown, ...Array.getLefts(successors)]
  }
}

/** Whether an MX of an MTA-STS policy, or an implicit one, gets another beside it or is replaced, also by a CNAME. */
const checkStsPolicy = (served: ServedHost, zone: LiveZone, lookup: DnsLookup): PolicyCheck => {
  const { after, before, host, name } = served
  const listed = hasImplicitMx(host, before) ? [name] : serversOf(before)
  const isAliased = serversOf(before).length > 0 && after.some(({ role }) => role === "CNAME")
  return isAliased || (listed.length > 0 && serversOf(after).some((server) => !listed.includes(server)))
    ? toCheck(
        Either.map(lookup({ name: toName(mtaStsHostOf(host), zone), type: "TXT" }), (texts) => texts.some(isStsPolicy))
      )
    : noMismatch
}

/** The host of the MTA-STS record for mail to a host (RFC 8461 section 3.1). */
const mtaStsHostOf = (host: string): string => (host === apexHost ? "_mta-sts" : `_mta-sts.${host}`)

const isStsPolicy = (text: string): boolean => /^\s*v\s*=\s*STSv1\s*(;|$)/i.test(text)

const mtaStsValueAt = (live: LiveZone, host: string) =>
  live.recordsAt(host).find((record) => findSingletonTxtKind(record) === "MTA-STS" || record.role === "CNAME")?.value

/** The hosts of MTA-STS policies that get another id, which tells senders to read the policy again. */
const listRenewedPolicies = (
  zone: LiveZone,
  resulting: LiveZone,
  servedHosts: ReadonlyArray<ServedHost>
): ReadonlySet<string> =>
  new Set(
    servedHosts
      .map(({ host }) => host)
      .filter((host) => /^_mta-sts(\.|$)/.test(host) && mtaStsValueAt(zone, host) !== mtaStsValueAt(resulting, host))
  )

const toName = (host: string, { domain }: LiveZone): string =>
  host === apexHost ? domain : DomainName.make(`${host}.${domain}`)

const serversOf = (records: ServedHost["before"]): ReadonlyArray<string> =>
  records.filter(({ role, value }) => role === "MX" && value !== nullTarget).map(({ value }) => value)

const addedServers = ({ after, before }: ServedHost): ReadonlyArray<string> => [
  ...new Set(serversOf(after)).difference(new Set(serversOf(before)))
]

const removedServers = ({ after, before }: ServedHost): ReadonlyArray<string> => [
  ...new Set(serversOf(before)).difference(new Set(serversOf(after)))
]
