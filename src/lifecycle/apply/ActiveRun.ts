import { Data, type Duration, Effect, Option } from "effect"
import type { FailureCode, FailureDetail } from "../../domain/connection/Connection.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Change } from "../../domain/plan/Plan.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { possiblyWrittenStatuses } from "../../persistence/stores/phases/JournalStore.ts"
import type { ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { ProviderFailure, type ZoneChanged } from "../../providers/ProviderFailure.ts"
import { longestTotalWait, withRetry } from "../../providers/withRetry.ts"
import type { LeaseLost } from "../commit/Leases.ts"
import { type ApplyDelayed, findDelay } from "./ApplyDelayed.ts"
import { describeRun } from "./describeRun.ts"
import type { RunJournal } from "./RunJournal.ts"

/** A run in the journal, and the zone that it writes. */
export interface ActiveRun {
  readonly journal: RunJournal
  readonly domain: DomainName
  /** The zone as the plan was made from it. */
  readonly snapshot: ZoneSnapshot
  readonly client: ZoneClient
  /** How long the plan may wait for its provider between two calls. */
  readonly longestDelay: Duration.Duration
}

/** Why a run ended before its plan was in the zone. */
export type RunError = ZoneChanged | ApplyFailed | ApplyDelayed | LeaseLost | StoreUnavailable

/** `hasWrites`: whether any of the plan may be in the zone; `changes`: how each stands; `detail`: answer or finding. */
export class ApplyFailed extends Data.TaggedError("ApplyFailed")<
  RunFailure & {
    readonly hasWrites: boolean
    readonly changes: ReadonlyArray<FailureDetail>
  }
> {}

/** Why a run cannot go on. */
interface RunFailure {
  readonly code: FailureCode
  readonly detail: string
  /** Whether the service found this by reading the zone. */
  readonly isOwnFinding?: boolean
  /** Whether the service refused to write the zone and did not ask the provider. */
  readonly isLocal?: boolean
  /** The changes of the call that the provider refused. */
  readonly refused?: ReadonlyArray<Change>
}

/** Reads the zone of a run that may have written. It waits longer than before a plan: records may be there already. */
export const readZone = (run: ActiveRun): Effect.Effect<ZoneSnapshot, ApplyDelayed | ApplyFailed | StoreUnavailable> =>
  Effect.catchAll(withRetry(ProviderFailure, longestTotalWait)(run.client.read), (failure) => failRun(run, failure))

/** Fails a run, or delays the rest of it if the provider asks for that; its journal says whether any of it may be in the zone. */
export const failRun = (
  { domain, journal, longestDelay }: Pick<ActiveRun, "domain" | "journal" | "longestDelay">,
  failure: RunFailure & Pick<Parameters<typeof findDelay>[0]["failure"], "isBusy" | "retryAfter">
): Effect.Effect<never, ApplyDelayed | ApplyFailed | StoreUnavailable> =>
  Effect.gen(function* () {
    const entries = yield* journal.entries
    const hasWrites = entries.some(({ status }) => possiblyWrittenStatuses.includes(status))
    const delay = findDelay({ failure, isPartlyWritten: hasWrites, longestDelay })
    if (Option.isSome(delay)) return yield* delay.value
    const { code, detail, isLocal = false, isOwnFinding = false, refused = [] } = failure
    const changes = describeRun(entries, domain)
    return yield* new ApplyFailed({ code, detail, isLocal, isOwnFinding, refused, hasWrites, changes })
  })
