import { Effect, Either, Schema } from "effect"
import { type ConnectionId, finalStates } from "../../domain/Connection.ts"
import { canAbandonChange, type ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { describeProblems, type ErrorDetail, limitErrorDetails } from "../../domain/ErrorDetail.ts"
import { Intent, type IntentRequest, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import { secretOwnerOf } from "../../domain/SealedSecret.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionExists } from "../../persistence/stores/ConnectionStore.ts"
import { Credentials } from "../../security/Credentials.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed } from "./authorizationMethods.ts"
import { Unprocessable } from "./commandErrors.ts"
import { type CommandEffect, type CommandOptions, runCommand } from "./defineCommand.ts"

/** Gives a connection another intent for its domain; a stored credential spares the customer a new authorization. */
export const changeIntent = Effect.gen(function* () {
  const credentials = yield* Credentials
  const runner = yield* CommandRunner

  return (
    tenancy: Tenancy,
    id: ConnectionId,
    request: IntentRequest,
    { allowDuplicate = false, ...options }: IntentChangeOptions
  ): CommandEffect<IntentRefusal> =>
    runCommand(runner, tenancy, id, options, (current) =>
      Effect.gen(function* (): Effect.fn.Return<Decision<IntentRefusal>, IntentRefusal | StoreUnavailable> {
        const { connection } = current
        const resolved = yield* resolveForDomain(request, connection.effectiveIntent.domain)
        const hasCredential = yield* credentials.isStored(secretOwnerOf(connection))
        const events = decideIntentChange(current, resolved, hasCredential)
        // Giving up a new intent leads back to one that the connection has had all the time.
        if (!events.some(({ _tag }) => _tag === "IntentChanged")) return { events }
        return allowDuplicate
          ? { events, sideEffects: { duplicates: "allowed" } }
          : { events, sideEffects: { duplicates: "refused" }, refuseDuplicate: ConnectionExists.ofIntent }
      })
    )
})

type IntentRefusal = Unprocessable | ConnectionExists

/** The options of a new intent. */
export interface IntentChangeOptions extends CommandOptions {
  /** Whether another connection of the tenant may have the new intent, too. */
  readonly allowDuplicate?: boolean
}

/** Resolves the new intent; one for another domain would be another connection. */
const resolveForDomain = (request: IntentRequest, domain: string): Either.Either<ResolvedIntent, Unprocessable> =>
  resolveIntent(request).pipe(
    Either.filterOrLeft(
      (resolved) => resolved.domain === domain,
      (): ReadonlyArray<ErrorDetail> => [
        {
          pointer: "/intent/domain",
          code: "domain_differs",
          message: "must be the domain of the connection; another domain needs a connection of its own",
          suggestion: domain
        }
      ]
    ),
    Either.mapLeft((problems) => {
      const details = limitErrorDetails(problems)
      return new Unprocessable({
        code: "unprocessable",
        message: describeProblems("intent", details, problems.length),
        details
      })
    })
  )

/**
 * Decides the change of an intent. One that the connection has, or changes to already, changes nothing; one that counts
 * still, while another waits to be applied, gives that up.
 */
export const decideIntentChange = (
  current: ConnectionRecord,
  { effectiveIntent, intent }: ResolvedIntent,
  hasCredential: boolean
): Decision["events"] => {
  const { connection } = current
  const { pendingIntent, state } = connection
  const changed = LifecycleEvent.IntentChanged({ intent, effectiveIntent, hasCredential })
  if (canAbandonChange(current) && isSameIntent(intent, connection.intent)) return [LifecycleEvent.Canceled()]
  const isKnown = isSameIntent(intent, (pendingIntent ?? connection).intent)
  if (isKnown && state !== "failed" && !finalStates.includes(state) && connection.direction !== "restore") return []
  return state === "authorizing" ? [authorizationClosed, changed] : [changed]
}

const isSameIntent = Schema.equivalence(Intent)
