import { Either, Option } from "effect"
import type { DnsRecord } from "../../domain/records/DnsRecord.ts"
import { toFqdn } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { Leftover } from "../../domain/plan/Plan.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { desiredRecordsOf } from "../DesiredRecord.ts"
import {
  describePlan,
  isOfKind,
  type PlannedHosts,
  type PlanRefused,
  planHosts,
  type PlanResult,
  shouldCompareDmarc
} from "../buildPlan.ts"
import { applyDiffs, type HostDiff } from "../changes/diffZone.ts"
import { type PolicyKind, policyKindOf } from "../planPolicies.ts"
import { takeAlternatives } from "../takeAlternatives.ts"
import { findChangesInDomain } from "../restore/JournaledChange.ts"
import { type RestoreInput, restoreHosts } from "../restore/planRestore.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { unflattenAliases } from "../zone/unflattenAliases.ts"
import { diffHost, findEditedTtls } from "./diffHost.ts"

/**
 * The input of a change of an intent: that of a restore, whose `connection` is the one that changes, with the intent
 * that still counts, and the pending intent for the same domain.
 */
interface IntentChangeInput extends Omit<RestoreInput, "leaving"> {
  readonly connection: RestoreInput["leaving"]
  readonly intent: ResolvedIntent
}

/** The plan of a change of an intent; `leftovers` are the records that it should bring back and cannot. */
export interface IntentChangeResult extends PlanResult {
  readonly leftovers: ReadonlyArray<Leftover>
}

/**
 * Plans the zone as if the new intent had always been there: writes what only it desires, removes what only the old one
 * desired, and brings back what that had replaced.
 */
export function* planIntentChange(
  input: IntentChangeInput
): LongComputation<Either.Either<IntentChangeResult, PlanRefused>> {
  const { connection, context, domain, intent, limits } = input
  const zoneOptions = { zone: input.zone.zone.name, capabilities: limits.capabilities }
  const intents = [connection.intent, intent].map((resolved) => takeAlternatives(resolved, zoneOptions))
  const unflattened = unflattenFor(intents, input)
  const live = unflattened.zone
  const restored = yield* restoreHosts({ ...input, live, leaving: connection })
  const planned = planHosts({ intent, zone: restored.zone, limits, context })
  if (Either.isLeft(planned)) return Either.left(planned.left)
  const editedTtls = findEditedTtls(findChangesInDomain(live, input.journal), {
    id: connection.id,
    live
  })
  const plannedAt = new Map(planned.right.diffs.map((diff) => [diff.host, diff]))
  const desiredHosts = new Set(plannedAt.keys())
  const diffs = [...desiredHosts.union(new Set(restored.diffs.map(({ host }) => host)))].map((host) =>
    diffHost(host, {
      name: toFqdn(host, domain),
      live: live.recordsAt(host),
      target: planned.right.resulting.recordsAt(host),
      planned: Option.fromNullable(plannedAt.get(host)),
      editedTtls
    })
  )
  const plan = describePlan(
    {
      ...withoutStanding(planned.right, { before: connection.intent, after: intent, diffs }),
      zone: live,
      diffs,
      resulting: applyDiffs(live, diffs)
    },
    {
      context: { ...context, others: restored.stayingRecords },
      limits,
      zone: input.zone,
      shouldCompareDmarc: (diff) => !desiredHosts.has(diff.host) || shouldCompareDmarc(diff)
    }
  )
  return Either.right({
    ...plan,
    unanswered: [...unflattened.unanswered, ...restored.unanswered, ...plan.unanswered],
    leftovers: restored.leftovers.filter(({ record }) => !desiredHosts.has(record.host))
  })
}

/** Leaves out what would be warned of what stands: it concerns neither a change nor a record that only the new intent has. */
const withoutStanding = (
  { issuance, repeated, warnings, ...planned }: PlannedHosts,
  { after, before, diffs }: ChangedIntent
): PlannedHosts => {
  const known = new Set(before.effectiveIntent.records.map(keyOf))
  const added = after.effectiveIntent.records.filter((record) => !known.has(keyOf(record)))
  const rowsAt = new Map(diffs.map(({ host, rows }) => [host, rows]))
  const isAbout = (host: string, kind: PolicyKind): boolean =>
    added.some((record) => record.host === host && policyKindOf(record) === kind) ||
    (rowsAt.get(host) ?? []).some((row) => isOfKind(row, kind))
  const changesIssuance = diffs.some(({ rows }) => rows.some((row) => isOfKind(row, "CAA")))
  const selectHosts = (hosts: ReadonlySet<string>) =>
    changesIssuance ? hosts : new Set([...hosts].filter((host) => (rowsAt.get(host) ?? []).length > 0))
  return {
    ...planned,
    warnings: warnings.filter(({ host, kind }) => kind === "other" || isAbout(host, kind)),
    repeated: repeated.filter(({ record }) => !known.has(keyOf(record))),
    issuance: {
      ...issuance,
      blockedHosts: selectHosts(issuance.blockedHosts),
      unknownHosts: selectHosts(issuance.unknownHosts)
    }
  }
}

const keyOf = ({ host, type, value }: DnsRecord): string => `${host} ${type} ${value}`

interface ChangedIntent {
  readonly before: ResolvedIntent
  readonly after: ResolvedIntent
  readonly diffs: ReadonlyArray<HostDiff>
}

/** Restores the aliases of both intents at the apex, where the zone was read in public. */
const unflattenFor = (
  intents: ReadonlyArray<ResolvedIntent>,
  { context, zone }: Pick<IntentChangeInput, "context" | "zone">
): Pick<ReturnType<typeof unflattenAliases>, "unanswered" | "zone"> =>
  intents.reduce<Pick<ReturnType<typeof unflattenAliases>, "unanswered" | "zone">>(
    ({ unanswered, zone: known }, intent) => {
      const next = unflattenAliases(known, desiredRecordsOf(intent, known), makeZoneLookup(known, context))
      return { zone: next.zone, unanswered: [...unanswered, ...next.unanswered] }
    },
    { zone: zone.zone, unanswered: [] }
  )
