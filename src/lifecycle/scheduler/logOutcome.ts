import { Effect } from "effect"
import type { Connection } from "../../domain/Connection.ts"
import { failureMeanings } from "../../domain/failureMeanings.ts"
import { warningMeanings } from "../../domain/warningMeanings.ts"

/** Logs why a connection has failed, and what its new plan warns of, in the sentences of the API. */
export const logOutcome = (before: Connection, { failure, id, plan }: Connection): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (failure !== undefined && failure !== before.failure) {
      const details = failure.details?.map(({ message }) => message)
      const fields = { failure: failure.code, ...toField("details", details) }
      yield* Effect.annotateLogs(Effect.logWarning(failureMeanings[failure.code]), fields)
    }
    if (plan === undefined || plan === before.plan) return
    for (const warning of plan.warnings) {
      const findings = plan.warningDetails?.find(({ code }) => code === warning)?.findings
      const fields = { warning, ...toField("findings", findings) }
      yield* Effect.annotateLogs(Effect.logInfo(warningMeanings[warning]), fields)
    }
  }).pipe(Effect.annotateLogs({ connectionId: id }))

const toField = (name: string, sentences: ReadonlyArray<string> = []) =>
  sentences.length === 0 ? {} : { [name]: sentences.join("; ") }
