import { Data, Effect } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { possiblyWrittenStatuses } from "../../persistence/stores/JournalStore.ts"
import type { ZoneClient, ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { ProviderFailure, type ZoneChanged } from "../../providers/ProviderFailure.ts"
import { longestTotalWait, withRetry } from "../../providers/withRetry.ts"
import type { LeaseLost } from "../commit/Leases.ts"
import type { RunJournal } from "./RunJournal.ts"

/** A run in the journal, and the zone that it writes. */
export interface ActiveRun {
  readonly journal: RunJournal
  readonly domain: DomainName
  /** The zone as the plan was made from it. */
  readonly snapshot: ZoneSnapshot
  readonly client: ZoneClient
}

/** Why a run ended before its plan was in the zone. */
export type RunError = ZoneChanged | ApplyFailed | LeaseLost | StoreUnavailable

/** A plan was not written completely; `hasWrites` says whether any of it may be in the zone. `detail` is for operators. */
export class ApplyFailed extends Data.TaggedError("ApplyFailed")<{
  readonly code: FailureCode
  readonly hasWrites: boolean
  readonly detail: string
}> {}

/**
 * Reads the zone of a run that may have written; the run fails if that fails. It waits longer than reads before a plan do,
 * because a failure would be reported of records that are in the zone.
 */
export const readZone = (run: ActiveRun): Effect.Effect<ZoneSnapshot, ApplyFailed | StoreUnavailable> =>
  Effect.catchAll(withRetry(ProviderFailure, longestTotalWait)(run.client.read), (failure) => failRun(run, failure))

/** Fails a run; its journal says whether any of it may be in the zone. */
export const failRun = (
  { journal }: Pick<ActiveRun, "journal">,
  { code, detail }: Pick<ApplyFailed, "code" | "detail">
): Effect.Effect<never, ApplyFailed | StoreUnavailable> =>
  Effect.gen(function* () {
    const hasWrites = (yield* journal.entries).some(({ status }) => possiblyWrittenStatuses.includes(status))
    return yield* new ApplyFailed({ code, detail, hasWrites })
  })
