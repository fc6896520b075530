import { Effect, Either, Schema } from "effect"
import { type ConnectionId, finalStates } from "../../domain/connection/Connection.ts"
import { canAbandonChange, type ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { listChangedSettings } from "../../domain/access/AuditEntry.ts"
import {
  changePlatformFields,
  platformFieldNames,
  type PlatformFields,
  type PlatformFieldsChange
} from "../../domain/connection/PlatformFields.ts"
import { describeProblems, type ErrorDetail, limitErrorDetails } from "../../domain/error/ErrorDetail.ts"
import { Intent, type IntentRequest, type ResolvedIntent, resolveIntent } from "../../domain/connection/Intent.ts"
import { secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { ConnectionExists } from "../../persistence/stores/connections/ConnectionStore.ts"
import { Credentials } from "../../security/Credentials.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { IllegalTransition } from "../state/advance.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed } from "./authorizationMethods.ts"
import { Unprocessable } from "./commandErrors.ts"
import { type CommandEffect, type CommandOptions, runCommand } from "./defineCommand.ts"

/** Changes a connection's intent or platform fields; a stored credential spares the customer an authorization. */
export const updateConnection = Effect.gen(function* () {
  const credentials = yield* Credentials
  const runner = yield* CommandRunner

  const decideEvents = (current: ConnectionRecord, request: IntentRequest) =>
    Effect.gen(function* () {
      const { connection } = current
      const resolved = yield* resolveForDomain(request, connection.effectiveIntent.domain)
      return decideIntentChange(current, resolved, yield* credentials.isStored(secretOwnerOf(connection)))
    })

  return (
    tenancy: Tenancy,
    id: ConnectionId,
    { intent, ...fields }: ConnectionUpdate,
    { allowDuplicate = false, ...options }: UpdateOptions
  ): CommandEffect<UpdateRefusal> =>
    runCommand(runner, tenancy, id, options, (current) =>
      Effect.gen(function* (): Effect.fn.Return<
        Decision<UpdateRefusal>,
        UpdateRefusal | IllegalTransition | StoreUnavailable
      > {
        const { state } = current.connection
        if (finalStates.includes(state)) return yield* new IllegalTransition({ from: state, event: "IntentChanged" })
        const events = intent === undefined ? [] : yield* decideEvents(current, intent)
        // Giving up a new intent leads back to one that the connection has had all the time.
        const hasNewIntent = events.some(({ _tag }) => _tag === "IntentChanged")
        const sideEffects = {
          ...(hasNewIntent ? { duplicates: allowDuplicate ? ("allowed" as const) : ("refused" as const) } : {}),
          ...findNewFields(current.connection, fields)
        }
        return { events, sideEffects, refuseDuplicate: (existing) => existing }
      })
    )
})

type UpdateRefusal = Unprocessable | ConnectionExists

export interface ConnectionUpdate extends PlatformFieldsChange {
  readonly intent?: IntentRequest
}

const findNewFields = (connection: PlatformFields, change: PlatformFieldsChange) => {
  const platformFields = changePlatformFields(connection, change)
  return listChangedSettings(platformFieldNames, connection, platformFields).length === 0 ? {} : { platformFields }
}

export interface UpdateOptions extends CommandOptions {
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

/** Decides the change of an intent. One that it has or changes to stays; the one that counts ends a waiting change. */
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
