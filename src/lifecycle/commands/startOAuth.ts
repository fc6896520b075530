import { DateTime, Effect, Option, type Redacted } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import { type OAuthRequestContext, OAuthSessions } from "../../security/OAuthSessions.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { Transitions } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed, requireMethodOffered, returnAndChoose } from "./authorizationMethods.ts"
import { StateConflict } from "./commandErrors.ts"
import { type CommandOptions, type CommandResult, nextStepsOf, runCommand } from "./defineCommand.ts"

/** The origin of the customer's page, the URL to which the browser returns, and the consent that came with the request. */
export type OAuthAuthorization = Omit<OAuthRequestContext, "providerId">

/** The result of `startOAuth`; the ticket opens the OAuth session. */
export interface OAuthCommandResult extends CommandResult {
  readonly ticket: Redacted.Redacted
}

/** Sends the customer to the provider: to authorize the service (OAuth 2.0 with PKCE), or for Domain Connect. */
export const startOAuth = Effect.gen(function* () {
  const runner = yield* CommandRunner
  const sessions = yield* OAuthSessions
  const store = yield* ConnectionStore
  const { timeouts } = yield* Transitions

  return Effect.fnUntraced(function* (
    tenancy: Tenancy,
    id: ConnectionId,
    authorization: OAuthAuthorization,
    options: CommandOptions
  ) {
    const owner = secretOwnerOf({ ...tenancy, id })
    const result = yield* runCommand(runner, tenancy, id, options, (current) =>
      Effect.gen(function* () {
        const { isDomainConnect = false } = authorization
        yield* requireMethodOffered(current.connection, isDomainConnect ? "domain_connect" : "oauth2_pkce")
        const context = { ...authorization, providerId: current.connection.provider?.id ?? "unknown" }
        const oauthSession = yield* sessions.create(owner, context, timeouts.authorizing)
        return { events: decideOAuthStart(current), sideEffects: { oauthSession } }
      })
    )
    const ticket = yield* sessions.findTicket(owner)
    if (Option.isSome(ticket)) return { ...result, ticket: ticket.value } satisfies OAuthCommandResult
    const current = yield* store.findRecord(tenancy, id)
    const nextSteps = nextStepsOf(current, yield* DateTime.now, options.callableActions)
    return yield* new StateConflict({ ...sessionEnded, ...nextSteps })
  })
})

export const decideOAuthStart = (current: ConnectionRecord): Decision["events"] => {
  const opened = LifecycleEvent.AuthorizationOpened()
  return current.connection.state === "authorizing" ? [authorizationClosed, opened] : returnAndChoose(current, opened)
}

/** Only a replayed request fails with this: the first request opened the session. */
const sessionEnded = {
  code: "state_conflict",
  message: "the OAuth session that this request started has ended; start a new one with another Idempotency-Key"
} as const
