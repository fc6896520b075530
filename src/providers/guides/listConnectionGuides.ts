import { Array } from "effect"
import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import { makeChallengeRecord } from "../../domain/connection/Control.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ManualGuide } from "../../domain/plan/ManualGuide.ts"
import { type Change, isSameRecord } from "../../domain/plan/Plan.ts"
import { canAuthorizeService } from "../../domain/provider/Provider.ts"
import type { Providers } from "../Providers.ts"
import { groupByProvider } from "../groupByProvider.ts"
import { hasMoved } from "../hasMoved.ts"
import { unknownProvider } from "../catalog/catalog.ts"
import { makeManualGuides, type ManualWork } from "./makeManualGuides.ts"

/** Lists the guides for the work that a customer has to do by hand now; none if there is no work. */
export const listConnectionGuides = (
  connection: Connection,
  observations: ManualWork["observations"],
  { detect }: Pick<typeof Providers.Service, "detect">
): ReadonlyArray<ManualGuide> => {
  const { effectiveIntent, plan } = connection
  const changes = [...listManualChanges(connection), ...listAwaitedChallenge(connection)]
  if (changes.length === 0) return []
  const { domain } = effectiveIntent
  const providers = listProviders(connection, observations, detect)
  return makeManualGuides({
    domain,
    zone: plan?.zone ?? domain,
    changes,
    providers,
    observations,
    isSpent: isSpentChallenge(connection)
  })
}

/** Whether a record of the plan is the challenge that has proven control: the connection no longer observes it. */
const isSpentChallenge =
  ({ control, effectiveIntent: { domain, records } }: Connection): NonNullable<ManualWork["isSpent"]> =>
  (record) => {
    if (control?.status !== "proven" || control.challenge !== undefined) return false
    const challenge = makeChallengeRecord(DomainName.make(domain), record.value)
    return isSameRecord(record, challenge) && !records.some((desired) => isSameRecord(desired, record))
  }

/** The changes of the plan, where the customer makes them. */
const listManualChanges = ({ plan, provider = unknownProvider, state }: Connection): ReadonlyArray<Change> => {
  const isManual =
    state === "awaiting_manual" ||
    // The plan of a restore that the service writes is made from the zone of the provider.
    (state === "disconnecting" && plan?.basis === "public_dns") ||
    (state === "degraded" && !canAuthorizeService(provider))
  return isManual ? (plan?.changes ?? []) : []
}

/** The challenge, where the connection waits for it and its plan does not have it. */
const listAwaitedChallenge = ({ control, effectiveIntent, plan, state }: Connection): ReadonlyArray<Change> => {
  if (control?.challenge === undefined || !statesWithChallenge.includes(state)) return []
  const after = makeChallengeRecord(DomainName.make(effectiveIntent.domain), control.challenge.value)
  const isPlanned = plan?.changes.some((change) => change.after !== undefined && isSameRecord(change.after, after))
  return isPlanned === true && state !== "verifying" ? [] : [{ action: "create", after, destructive: false }]
}

const statesWithChallenge: ReadonlyArray<ConnectionState> = ["awaiting_manual", "verifying", "degraded"]

/**
 * The providers of the name servers, that of the connection first, at most three. After a move, the servers that were
 * asked count; for connections of earlier versions, too, which lack the name servers.
 */
const listProviders = (
  { provider = unknownProvider }: Connection,
  { records }: ManualWork["observations"],
  detect: (typeof Providers.Service)["detect"]
): ManualWork["providers"] => {
  const asked = listAskedServers(records)
  const isMoved = hasMoved(provider, asked, detect)
  const nameServers = isMoved ? asked : (provider.detection.nameServers ?? asked)
  const shares = groupByProvider(nameServers, detect)
  if (shares.length < 2 && !isMoved) return [{ provider, nameServers }]
  return shares
    .toSorted((one, other) => Number(other.provider.id === provider.id) - Number(one.provider.id === provider.id))
    .slice(0, maxGuides)
}

/** Each repeats the plan, which may be large; more than two providers are a mistake in the delegation. */
const maxGuides = 3

const listAskedServers = (records: ManualWork["observations"]["records"]): ReadonlyArray<string> =>
  Array.dedupe(
    records.flatMap(({ observed }) => observed.flatMap(({ kind, server }) => (kind === "authoritative" ? server : [])))
  )
