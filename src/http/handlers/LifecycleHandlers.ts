import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { Consent } from "../../domain/ConnectionRecord.ts"
import type { PlanDigest, Warning } from "../../domain/Plan.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { Connections } from "../../lifecycle/commands/Connections.ts"
import type { ApprovalInput } from "../../lifecycle/commands/approvePlan.ts"
import type { CommandEffect, CommandOptions, CommandResult } from "../../lifecycle/commands/runCommand.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { Api } from "../contract/Api.ts"
import type { ApprovalRequest, AuthorizationRequest } from "../contract/LifecycleApi.ts"
import { ServerCaller } from "../middleware/ApiKeyAuth.ts"
import { Caller, requireConnection } from "../middleware/CallerAuth.ts"
import { requireEmptyBody } from "../middleware/readJsonBody.ts"
import { oauthPaths } from "../pages/OAuthRoutes.ts"
import { matchesIfMatch } from "./entityTags.ts"
import { parseReturnUrl } from "./parseReturnUrl.ts"
import { connectionResponse, etagOf, idempotencyOf, replayedHeader } from "./responses.ts"

/** The commands on a connection: each answers with the connection as the command left it. */
export const LifecycleHandlers = HttpApiBuilder.group(
  Api,
  "lifecycle",
  Effect.fnUntraced(function* (handlers) {
    const connections = yield* Connections
    const startUrl = (yield* PublicUrl).of(oauthPaths.start)

    return handlers
      .handle("authorization", (request) => {
        const { payload } = request
        switch (payload.method) {
          case "manual":
            return byCaller(request, "authorization", payload, connections.chooseManual)
          case "direct_credential":
            return byCaller(request, "authorization", unredacted(payload), (tenancy, id, asking) =>
              connections.authorizeWithCredential(tenancy, id, lettingIn(payload), asking)
            )
          case "oauth2_pkce":
            return Effect.gen(function* () {
              const { origin } = yield* Caller
              const going = { ...(yield* parseReturnUrl(payload.returnUrl, origin)), ...consentIn(payload) }
              return yield* byCaller(request, "authorization", payload, (tenancy, id, asking) =>
                Effect.map(connections.startOAuth(tenancy, id, going, asking), ({ ticket, ...made }) => ({
                  ...made,
                  also: { authorizeUrl: `${startUrl}?ticket=${Redacted.value(ticket)}` }
                }))
              )
            })
        }
      })
      .handle("approval", (request) =>
        byCaller(request, "approval", request.payload, (tenancy, id, asking) =>
          connections.approve(tenancy, id, approving(request.payload), asking)
        )
      )
      .handle("recheck", (request) => plainly(request, "recheck", connections.recheck))
      .handle("retry", (request) => plainly(request, "retry", connections.retry))
      .handle("cancel", (request) => plainly(request, "cancel", connections.cancel))
      .handle("disconnect", (request) =>
        Effect.gen(function* () {
          const { tenancy } = yield* ServerCaller
          yield* requireEmptyBody
          return yield* commanded(tenancy, request, "disconnect", {}, connections.disconnect)
        })
      )
  })
)

interface CommandRequest {
  readonly path: { readonly connectionId: ConnectionId }
  readonly headers: { readonly "idempotency-key"?: string; readonly "if-match"?: string }
}

/** `also` is shown beside the connection; it is fit to stand in JSON as it is. */
type Carry = (
  tenancy: Tenancy,
  id: ConnectionId,
  asking: CommandOptions
) => Effect.Effect<
  CommandResult & { readonly also?: Readonly<Record<string, string>> },
  Effect.Effect.Error<CommandEffect>
>

/** By a server, or by the browser whose token is for this connection. */
const byCaller = (request: CommandRequest, segment: string, body: unknown, carryOut: Carry) =>
  Effect.gen(function* () {
    yield* requireConnection
    const { tenancy } = yield* Caller
    return yield* commanded(tenancy, request, segment, body, carryOut)
  })

const plainly = (request: CommandRequest, segment: string, carryOut: Carry) =>
  Effect.zipRight(requireEmptyBody, byCaller(request, segment, {}, carryOut))

const commanded = (tenancy: Tenancy, request: CommandRequest, segment: string, body: unknown, carryOut: Carry) =>
  Effect.gen(function* () {
    const { headers, path } = request
    const route = `POST /v1/connections/${path.connectionId}/${segment}`
    const ifMatch = Option.fromNullable(headers["if-match"])
    const {
      also = {},
      replayed,
      stored
    } = yield* carryOut(tenancy, path.connectionId, {
      idempotency: yield* idempotencyOf(tenancy, { route, key: headers["idempotency-key"], body }),
      ifVersion: Option.map(ifMatch, (etags) => (version: number) => matchesIfMatch(etags, etagOf({ version })))
    })
    return connectionResponse(stored, 200, replayedHeader(replayed), also)
  }).pipe(Effect.catchTag("StoreUnavailable", Effect.die))

const consentOf = (digest: PlanDigest, acknowledged: ReadonlyArray<Warning> = []): Consent => ({ digest, acknowledged })

const approving = ({ acknowledge, digest, putBack = [] }: ApprovalRequest): ApprovalInput => ({
  ...consentOf(digest, acknowledge),
  putBack
})

type WithCredential = Extract<AuthorizationRequest, { readonly method: "direct_credential" }>

const lettingIn = (request: WithCredential) => ({
  credential: request.credential,
  consent: Option.fromNullable(consentIn(request).consent)
})

const consentIn = ({ acknowledge, approvedDigest }: Pick<WithCredential, "acknowledge" | "approvedDigest">) =>
  approvedDigest === undefined ? {} : { consent: consentOf(approvedDigest, acknowledge) }

/** For the fingerprint alone, of which only a keyed hash is kept. */
const unredacted = (request: WithCredential): unknown => ({
  ...request,
  credential: Redacted.value(request.credential)
})
