import type { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/connection/ConnectionRecord.ts"
import { type Control, type ControlProgress, makeChallenge } from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"

/** Whether control of the domain is proven for a connection; an earlier version knew only credentials. */
export const hasProvenControl = ({ control, hasProvenAccess }: Progress): boolean =>
  control === undefined ? hasProvenAccess : control.provenBy !== undefined

/** The hosts of the intent that a connection leads to. */
export const hostsOf = ({ effectiveIntent, pendingIntent }: Connection): ReadonlyArray<string> =>
  listHosts((pendingIntent ?? { effectiveIntent }).effectiveIntent)

const listHosts = ({ records }: EffectiveIntent): ReadonlyArray<string> => [...new Set(records.map(({ host }) => host))]

/**
 * The hosts that no proof reaches. A credential and the challenge prove the domain, entered records their hosts. An
 * intent that came while the connection was not active needs a proof for its new hosts.
 */
export const listUnprovenHosts = (
  { connection, progress }: ConnectionRecord,
  intent: EffectiveIntent = (connection.pendingIntent ?? connection).effectiveIntent
): ReadonlyArray<string> => {
  const hosts = listHosts(intent)
  if (!hasProvenControl(progress)) return hosts
  const { control, intentChange } = progress
  const isEntered = control?.provenBy === "entered_records"
  const isOutdated = connection.pendingIntent !== undefined && intentChange?.returnsTo !== "active"
  if (control?.provenHosts === undefined && !isEntered && !isOutdated) return []
  const proven = provenHostsOf({ connection, progress })
  return hosts.filter((host) => !proven.includes(host))
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
