import type { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/connection/ConnectionRecord.ts"
import { type Control, type ControlProgress, isChallenge, makeChallenge } from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import { EffectiveIntent } from "../../domain/connection/Intent.ts"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import type { PlanResult } from "../../planning/buildPlan.ts"
import { hostsOf as hostsOfChanges } from "../../planning/changes/ChangeStatus.ts"

/** Whether control of the domain is proven for a connection; an earlier version knew only credentials. */
export const hasProvenControl = ({ control, hasProvenAccess }: Progress): boolean =>
  control === undefined ? hasProvenAccess : control.provenBy !== undefined

/** The hosts of the intent that a connection leads to. */
export const hostsOf = ({ effectiveIntent, pendingIntent }: Connection): ReadonlyArray<string> =>
  listHosts((pendingIntent ?? { effectiveIntent }).effectiveIntent)

const listHosts = ({ records }: EffectiveIntent): ReadonlyArray<string> => [...new Set(records.map(({ host }) => host))]

/**
 * The hosts of an intent that no proof of the connection reaches. The challenge proves the domain; what was written or
 * entered proves its hosts. A credential need not write policies that stand already. If a new intent came while the
 * connection was not active, its new hosts need a proof of their own.
 */
export const listUnprovenHosts = (
  current: ConnectionRecord,
  intent: EffectiveIntent = (current.connection.pendingIntent ?? current.connection).effectiveIntent
): ReadonlyArray<string> => {
  const hosts = listHosts(intent)
  const { progress } = current
  if (!hasProvenControl(progress)) return hosts
  if (reachesDomain(current)) return []
  const proven = provenHostsOf(current)
  const required = progress.control?.provenBy === "credential" ? listHostsToWrite(intent) : hosts
  return required.filter((host) => !proven.includes(host))
}

/** Whether the proof of a connection reaches every host of the intent to which it leads. */
export const reachesDomain = ({ connection, progress }: ConnectionRecord): boolean => {
  const { control, intentChange } = progress
  const isOutdated = connection.pendingIntent !== undefined && intentChange?.returnsTo !== "active"
  return (
    hasProvenControl(progress) &&
    control?.provenHosts === undefined &&
    control?.provenBy !== "entered_records" &&
    !isOutdated
  )
}

/** The hosts of an intent at which a credential has to write to prove them: not those with policies alone. */
const listHostsToWrite = ({ domain, records }: EffectiveIntent): ReadonlyArray<string> =>
  listHosts(EffectiveIntent.make({ domain, records: records.filter((record) => !isPolicy(record)) }))

/** Whether a record is a policy that other records may fulfil. */
const isPolicy = (record: DnsRecord): boolean =>
  record.type === "CAA" || ["SPF", "DMARC"].includes(findSingletonTxtKind(record) ?? "")

/**
 * Whether the changes of a plan, with those of earlier runs, write at every host of an intent that needs a proof, so that a
 * credential that makes them proves control. Where nothing is written, it may be one that only reads.
 */
export const writesEveryHost = (
  { changes, effectiveIntent: intent }: Pick<PlanResult, "changes" | "effectiveIntent">,
  current: ConnectionRecord,
  writtenHosts: ReadonlyArray<string> = []
): boolean => {
  const unproven = new Set(listUnprovenHosts(current, intent))
  const written = new Set([...writtenHosts, ...hostsOfChanges(changes)])
  const required = listHostsToWrite(intent).filter((host) => unproven.size === 0 || unproven.has(host))
  return written.size > 0 && required.every((host) => written.has(host))
}

/**
 * The hosts that a written plan proves, with those that were proven before or written by earlier runs; none stands for the
 * whole domain, which the challenge among the changes proves.
 */
export const hostsProvenByWriting = (current: ConnectionRecord): ReadonlyArray<string> | undefined => {
  const { connection, progress } = current
  const { domain } = connection.effectiveIntent
  const changes = connection.plan?.changes ?? []
  const isOwnChallenge = ({ after }: Change) =>
    after !== undefined && isChallenge(after, DomainName.make(domain), progress.control?.challenge)
  if (changes.some(isOwnChallenge) || reachesDomain(current)) return undefined
  const before = hasProvenControl(progress) ? provenHostsOf(current) : (progress.control?.writtenHosts ?? [])
  return [...new Set([...before, ...hostsOfChanges(changes)])]
}

/** The hosts of the intent that counts which the proof reaches, and others that were entered. */
export const provenHostsOf = ({ connection, progress: { control } }: ConnectionRecord): ReadonlyArray<string> => {
  // Earlier versions kept no hosts: their proofs are for the intent that they were found for.
  const isOfOtherHosts = control?.provenBy === "entered_records" && control.isOfEarlierIntent === true
  return control?.provenHosts ?? (isOfOtherHosts ? [] : listHosts(connection.effectiveIntent))
}

/** The control as the API shows it: proven if every host of the intent that counts is, whatever a new one needs. */
export const toControl = (current: ConnectionRecord, { challenge, isAwaited, provenBy }: ControlProgress): Control => {
  const { pendingIntent: _, ...connection } = current.connection
  const isUnproven = listUnprovenHosts({ connection, progress: current.progress }).length > 0
  const domain = DomainName.make(connection.effectiveIntent.domain)
  return {
    ...(provenBy === undefined || isUnproven ? { status: "unproven" } : { status: "proven", by: provenBy }),
    ...(isAwaited && challenge !== undefined ? { challenge: makeChallenge(domain, challenge) } : {})
  }
}
