import { DateTime } from "effect"
import type { Connection, ConnectionId, ConnectionState } from "../../domain/connection/Connection.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import {
  allowedNamesOf,
  canAbandonChange,
  type ConnectionRecord,
  isWatchedWhileWaiting,
  Progress,
  servedNamesOf
} from "../../domain/connection/ConnectionRecord.ts"
import {
  type ControlMethod,
  type ControlProgress,
  initialControl,
  isChallenge,
  makeChallengeRecord
} from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import type { ProposedPlan, VerifiedControl } from "./LifecycleEvent.ts"
import { hasProvenControl, hostsProvenByWriting, provenHostsOf } from "./provenHosts.ts"

/**
 * Whether a connection has been active, and serves its hosts or waits for its repair or new intent. Rows of earlier
 * versions do not say so: there a connection that waits with records in its zone counts as having been active.
 */
export const hasBeenActive = (current: ConnectionRecord): boolean => {
  const { connection, progress } = current
  return connection.pendingIntent === undefined
    ? connection.state === "active" ||
        connection.state === "degraded" ||
        (progress.wasActive !== false && isWatchedWhileWaiting(current))
    : progress.intentChange?.returnsTo !== "verifying"
}

/** The states in which a connection that has been active is degraded as soon as it loses its hosts. */
const restingStates: ReadonlyArray<ConnectionState> = [
  "active",
  "degraded",
  "awaiting_authorization",
  "authorizing",
  "planned",
  "awaiting_manual"
]

/** Whether a loss of hosts degrades at once and ends a waiting intent: not once that is planned or written. */
export const isDegradedByLoss = (current: ConnectionRecord): boolean =>
  hasBeenActive(current) &&
  (restingStates.includes(current.connection.state) ||
    (current.connection.state === "failed" && canAbandonChange(current)))

/** Whether a connection has lost hosts that it served, without a new state: the change to a new intent continues. */
export const hasLostHostsDuringChange = (before: ConnectionRecord, after: ConnectionRecord): boolean =>
  before.connection.state === after.connection.state &&
  ((after.connection.pendingIntent !== undefined && hasBeenActive(before)) ||
    before.connection.allowedNames !== undefined) &&
  before.progress.control?.isLost !== true &&
  after.progress.control?.isLost === true

/** The names to which a connection has a right, until a newer one; unproven, those that it goes on serving. */
export const heldNamesOf = (current: ConnectionRecord): ReadonlyArray<string> =>
  holdsHosts(current) ? servedNamesOf(current.connection) : allowedNamesOf(current)

/** Whether a connection has a right to all hosts of the intent that counts. */
export const holdsHosts = (current: ConnectionRecord): boolean =>
  hasProvenControl(current.progress) || (hasBeenActive(current) && current.progress.control?.isLost !== true)

/** Whether a connection has no plan that can still be approved. */
export const hasExpiredPlan = ({ plan }: Connection, now: DateTime.Utc): boolean =>
  plan === undefined || DateTime.lessThanOrEqualTo(plan.expiresAt, now)

/** The control that is known; an earlier version knew only credentials. */
const knownControl = ({ control, hasProvenAccess }: Progress): ControlProgress =>
  control ?? (hasProvenAccess ? { ...initialControl, provenBy: "credential" } : initialControl)

/** How control of the domain was proven between two records of a connection; undefined without a new proof. */
export const newProofOf = (before: ConnectionRecord, after: ConnectionRecord): ControlMethod | undefined => {
  const [known, current] = [before.progress.control, after.progress.control]
  if (current?.provenAt === undefined) return undefined
  const isKnown = known?.provenBy === current.provenBy && known?.provenAt?.epochMillis === current.provenAt.epochMillis
  return isKnown ? undefined : current.provenBy
}

/** Updates the control after a plan; a requested challenge stays requested until it is proven. */
export const controlAfterPlan = (
  progress: Progress,
  { contested = [], control: planned }: ProposedPlan,
  now: DateTime.Utc
): Pick<Progress, "control"> => {
  const before = knownControl(progress)
  const known =
    planned === undefined
      ? progress.control
      : { ...before, ...planned, ...whenRequested(before, planned.challenge, now) }
  return known === undefined ? {} : { control: withNotified(known, contested) }
}

/** When the challenge is requested, if it is another one than before. */
const whenRequested = ({ challenge }: ControlProgress, requested: string | undefined, now: DateTime.Utc) =>
  requested === undefined || requested === challenge ? {} : { challengedAt: now }

/** When the challenge was requested; earlier versions did not keep that. */
export const challengedAtOf = (
  { createdAt }: Pick<Connection, "createdAt">,
  { control }: Pick<Progress, "control">
): DateTime.Utc => control?.challengedAt ?? createdAt

const withNotified = (control: ControlProgress, contested: ReadonlyArray<ConnectionId>): ControlProgress => ({
  ...control,
  notified: [...new Set([...control.notified, ...contested])]
})

/**
 * Whether a plan without changes proves control: a run that failed may have written what it got no answer to. Else it may
 * come from a credential that only reads.
 */
export const isWrittenByFailedRun = (progress: Progress): boolean =>
  progress.hasWritten && !hasProvenControl(progress) && progress.control?.isAwaited !== true

/**
 * The control that the write of a plan with a credential proves. Where the challenge is awaited, also after a loss, nothing
 * else proves anything: it may stand already, which the check after the write shows.
 */
export const provenByWriting = (current: ConnectionRecord, now: DateTime.Utc): Pick<Progress, "control"> => {
  const { control } = current.progress
  const hosts = hostsProvenByWriting(current)
  return (control?.isLost === true || control?.isAwaited === true) && hosts !== undefined
    ? {}
    : { control: provenControl(current.progress, "credential", now, hosts) }
}

/** The control that a plan without changes proves, where a run that failed has written all of it. */
export const provenByFailedRun = (
  { connection, progress }: ConnectionRecord,
  { plan }: ProposedPlan,
  planned: Pick<Progress, "control">,
  now: DateTime.Utc
) =>
  provenByWriting(
    { connection: { ...connection, plan }, progress: Progress.make({ ...progress, ...planned }, withoutValidation) },
    now
  )

const provenControl = (
  { control = initialControl }: Progress,
  provenBy: ControlMethod,
  provenAt: DateTime.Utc,
  provenHosts?: ReadonlyArray<string>
) => ({
  provenBy,
  provenAt,
  ...(provenHosts === undefined ? {} : { provenHosts }),
  isAwaited: false,
  isInterrupted: false,
  isLost: false,
  notified: control.notified
})

/** The control after a new state: a proof is interrupted from when the records are gone until they are back. */
export const controlInState = (
  control: ControlProgress | undefined,
  state: ConnectionState
): Pick<Progress, "control"> =>
  control !== undefined && (state === "degraded" || state === "active")
    ? { control: { ...control, isInterrupted: state === "degraded" } }
    : {}

/**
 * Updates the control after a check. A new proof ends the request for a challenge; an entered challenge is removed with
 * the connection. While a newer proof is requested, the known one stands.
 */
export const controlAfterCheck = (
  { connection, progress }: ConnectionRecord,
  { challenge, contested = [], isNewProof = false, isRequired, provenBy, provenHosts }: VerifiedControl,
  now: Progress["enteredAt"]
): Partial<Progress> => {
  const known = withNotified(knownControl(progress), contested)
  const isPending = connection.pendingIntent !== undefined
  const isKept =
    provenBy === undefined
      ? !isRequired && (isPending || !known.isAwaited)
      : !isNewProof || (isPending && (isRequired || connection.state !== "awaiting_manual"))
  if (hasProvenControl(progress) && isKept) {
    if (isRequired && challenge !== undefined) {
      return { control: { ...known, isAwaited: true, challenge, ...whenRequested(known, challenge, now) } }
    }
    return isRequired || isPending || !known.isAwaited ? {} : { control: { ...known, isAwaited: false } }
  }
  if (provenBy !== undefined) {
    const provenAt = provenBy === "challenge" ? challengedAtOf(connection, progress) : now
    return {
      control: provenControl({ ...progress, control: known }, provenBy, provenAt, provenHosts),
      ...(provenBy === "challenge"
        ? { entered: recordEnteredChallenge(connection.effectiveIntent.domain, progress, now) }
        : {})
    }
  }
  if (!isRequired) return progress.control === undefined ? {} : { control: { ...known, isAwaited: false } }
  const unproven = withoutProof(known)
  const requested = challenge === undefined ? {} : { challenge, ...whenRequested(known, challenge, now) }
  return { control: { ...unproven, isAwaited: true, ...requested } }
}

/** Adds the challenge that the customer entered, unless the service, by which it is set up, may have written it. */
const recordEnteredChallenge = (
  name: string,
  { control, entered, hasWritten, isManual }: Progress,
  at: Progress["enteredAt"]
) => {
  const domain = DomainName.make(name)
  const value = control?.challenge
  const isKnown = entered.some(({ change: { after } }) => after !== undefined && isChallenge(after, domain, value))
  if (value === undefined || (hasWritten && !isManual) || isKnown) return entered
  const change: Change = { action: "create", after: makeChallengeRecord(domain, value), destructive: false }
  return [...entered, { change, at }]
}

/** Without a proof for the intent that counts so far, where the new one needs a proof of its own. */
export const withoutEarlierProof = ({ control }: Progress): Pick<Progress, "control"> => {
  return { control: control?.isAwaited === true ? withoutProof(control) : control }
}

/** A connection whose proof does not count. */
export const withoutControl = ({ connection, progress }: ConnectionRecord): ConnectionRecord => ({
  connection,
  progress:
    progress.control === undefined
      ? progress
      : Progress.make({ ...progress, control: withoutProof(progress.control) }, withoutValidation)
})

const withoutProof = (control: ControlProgress): ControlProgress => {
  const { provenAt: _at, provenBy: _by, provenHosts: _hosts, ...unproven } = control
  return unproven
}

/** Asks for nothing that only a new intent needed, which another one replaces, or which was given up. */
export const withoutNewProof = (current: ConnectionRecord): Pick<Progress, "control"> => {
  const { control } = current.progress
  return control !== undefined && holdsHosts(current) ? { control: { ...control, isAwaited: false } } : {}
}

/** The control after a new intent was given up: as before, without what its plan proved, unless hosts were lost. */
export const controlAfterAbandoning = (current: ConnectionRecord): Partial<Progress> => {
  const { control, hasProvenAccess, intentChange } = current.progress
  if (intentChange?.isBeforeControl !== true || control?.isLost === true) return withoutNewProof(current)
  const wasProven = control === undefined || control.provenBy !== undefined
  return { control: undefined, hasProvenAccess: hasProvenAccess && wasProven }
}

/** The proof that still counts for a new intent: not for others' hosts, nor for new hosts if it was not active. */
export const controlOfEarlierIntent = (current: ConnectionRecord, wasActive: boolean): Pick<Progress, "control"> => {
  const { progress } = current
  if (progress.control === undefined && !progress.hasProvenAccess) return {}
  const limits = wasActive || !hasProvenControl(progress) ? {} : { provenHosts: provenHostsOf(current) }
  return { control: { ...knownControl(progress), isOfEarlierIntent: true, ...limits } }
}

/** Whether a check lets the connection become active. */
export const isEntitled = ({ isHolder, isRequired, provenBy }: VerifiedControl): boolean =>
  isHolder && (provenBy !== undefined || !isRequired)

/** The state of a connection after another one took its hosts. */
export const stateWithoutHosts = (current: ConnectionRecord): ConnectionState =>
  isDegradedByLoss(current) ? "degraded" : current.connection.state

/** The control after its loss: without a proof or a challenge, so that the next plan or check makes a new challenge. */
export const lostControl = ({ control = initialControl, intentChange }: Progress) => ({
  control: { isAwaited: true, isLost: true, notified: control.notified },
  ...(intentChange?.returnsTo === "active" ? { intentChange: { ...intentChange, returnsTo: "degraded" as const } } : {})
})
