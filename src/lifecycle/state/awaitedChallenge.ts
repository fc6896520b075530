import type { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/connection/ConnectionRecord.ts"
import { isChallenge, makeChallengeRecord } from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import { canAuthorizeService } from "../../domain/provider/Provider.ts"
import { type Change, Plan } from "../../domain/plan/Plan.ts"
import { computeDigest } from "../../planning/changes/computeDigest.ts"

/** Whether a connection waits for a challenge that the service can write with a credential. */
export const canWriteChallenge = ({ connection: { provider }, progress: { control } }: ConnectionRecord): boolean =>
  control?.isAwaited === true &&
  control.challenge !== undefined &&
  provider !== undefined &&
  canAuthorizeService(provider)

/** Whether a plan has no other change than the challenge of its connection. */
export const hasOnlyChallenge = (
  { changes }: Pick<Plan, "changes">,
  { domain }: EffectiveIntent,
  challenge: string | undefined
): boolean =>
  changes.every(({ after }) => after !== undefined && isChallenge(after, DomainName.make(domain), challenge))

/** Adds the challenge to the plan as its last change, so that the customer sees all that is awaited in one list. */
export const withAwaitedChallenge = (
  { effectiveIntent, plan }: Connection,
  { control }: Partial<Progress>
): Partial<Connection> => {
  const domain = DomainName.make(effectiveIntent.domain)
  const value = control?.isAwaited === true ? control.challenge : undefined
  if (plan === undefined || value === undefined) return {}
  if (plan.changes.some(({ after }) => after !== undefined && isChallenge(after, domain, value))) return {}
  const changes: ReadonlyArray<Change> = [
    ...plan.changes,
    { action: "create", after: makeChallengeRecord(domain, value), destructive: false }
  ]
  const digest = computeDigest({ domain, zone: DomainName.make(plan.zone ?? domain), changes })
  return { plan: Plan.make({ ...plan, changes, digest }) }
}
