import { HttpApiBuilder } from "@effect/platform"
import { Effect, Either, Option, Redacted } from "effect"
import type { ConnectionId } from "../../../domain/connection/Connection.ts"
import type { Consent } from "../../../domain/connection/ConnectionRecord.ts"
import { type Origin, parseOrigin } from "../../../domain/names/Origin.ts"
import type { PlanDigest } from "../../../domain/plan/Plan.ts"
import type { ApplicationId, Tenancy } from "../../../domain/access/Tenancy.ts"
import type { Warning } from "../../../domain/plan/Warning.ts"
import { oauthPaths, PublicUrl } from "../../PublicUrl.ts"
import { Api } from "../Api.ts"
import type { ApprovalRequest, AuthorizationRequest } from "./LifecycleApi.ts"
import { ReturnUrlNotAllowed } from "../../contract/errorResponses.ts"
import { type AuthenticatedServer, Caller, ServerCaller } from "../../contract/securitySchemes.ts"
import { requireConnection } from "../../pipeline/authenticate.ts"
import { idempotencyOf, respondWithConnection, toReplayedHeader, toVersionCheck, withoutBody } from "../responses.ts"
import { makeWaitForPlan } from "../connections/waitForPlan.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { AuthorizationRefused } from "../../../lifecycle/commands/commandErrors.ts"
import { Connections } from "../../../lifecycle/commands/Connections.ts"
import type { ApprovalInput } from "../../../lifecycle/commands/approvePlan.ts"
import type { CommandError, CommandOptions, CommandResult } from "../../../lifecycle/commands/defineCommand.ts"
import { ApplicationStore } from "../../../persistence/stores/access/ApplicationStore.ts"
import { RequestFingerprints } from "../../../security/RequestFingerprints.ts"

export const LifecycleHandlers = HttpApiBuilder.group(
  Api,
  "lifecycle",
  Effect.fnUntraced(function* (handlers) {
    const connections = yield* Connections
    const applications = yield* ApplicationStore
    const startUrl = (yield* PublicUrl).of(oauthPaths.start)
    const { respondToCommand, runForCaller, runWithoutBody } = yield* makeCommandResponses

    const findReturnOrigins = (applicationId: ApplicationId) =>
      Effect.map(applications.findSettings(applicationId), ({ returnOrigins = [] }) => returnOrigins)

    return yield* handlers
      .handle("authorization", (request) => {
        const { payload } = request
        switch (payload.method) {
          case "manual":
            return runForCaller(request, "authorization", payload, connections.chooseManual)
          case "direct_credential":
            return runForCaller(request, "authorization", withPlainCredential(payload), (tenancy, id, options) =>
              connections.authorizeWithCredential(tenancy, id, toCredentialAuthorization(payload), options)
            )
          case "domain_connect":
          case "oauth2_pkce":
            return Effect.gen(function* () {
              const isDomainConnect = payload.method === "domain_connect"
              if (isDomainConnect && payload.approvedDigest !== undefined) return yield* approvalUnavailable
              const { origin, tenancy } = yield* Caller
              const authorization = {
                ...(yield* parseReturnUrl(payload.returnUrl, {
                  callerOrigin: origin,
                  allowed: payload.returnUrl === undefined ? [] : yield* findReturnOrigins(tenancy.applicationId)
                })),
                ...(payload.method === "domain_connect" ? { isDomainConnect } : consentFieldsOf(payload))
              }
              return yield* runForCaller(request, "authorization", payload, (tenancy, id, options) =>
                Effect.map(
                  connections.startOAuth(tenancy, id, authorization, options),
                  ({ ticket, ...result }): ResponseContent => ({
                    ...result,
                    moreFields: { authorizeUrl: `${startUrl}?ticket=${Redacted.value(ticket)}` }
                  })
                )
              )
            })
        }
      })
      .handle("provider", (request) =>
        runForCaller(request, "provider", request.payload, (tenancy, id, options) =>
          connections.selectProvider(tenancy, id, request.payload.provider, options)
        )
      )
      .handle("approval", (request) =>
        runForCaller(request, "approval", request.payload, (tenancy, id, options) =>
          connections.approve(tenancy, id, toApprovalInput(request.payload), options)
        )
      )
      .handle("recheck", (request) => runWithoutBody(request, "recheck", connections.recheck))
      .handle("retry", (request) => runWithoutBody(request, "retry", connections.retry))
      .handle("update", (request) =>
        Effect.flatMap(ServerCaller, (caller) =>
          respondToCommand(caller, request, "update", request.payload, (tenancy, id, options) => {
            const { allowDuplicate = false, ...change } = request.payload
            return connections.update(tenancy, id, change, { ...options, allowDuplicate })
          })
        )
      )
      .handle("cancel", (request) => runWithoutBody(request, "cancel", connections.cancel))
      .handle("disconnect", (request) =>
        Effect.flatMap(ServerCaller, (caller) =>
          withoutBody(respondToCommand(caller, request, "disconnect", {}, connections.disconnect))
        )
      )
      .pipe(serveEndpoints)
  })
)

interface CommandRequest {
  readonly path: { readonly connectionId: ConnectionId }
  readonly headers: {
    readonly "idempotency-key"?: string
    readonly "if-match"?: string
    /** Only of the commands after which a plan is made. */
    readonly prefer?: string
  }
}

/** The result of a command, and fields of the response next to `connection`; their texts need no escaping in JSON. */
type ResponseContent = CommandResult & { readonly moreFields?: Readonly<Record<string, string>> }

type CommandFunction<Refusal> = (
  tenancy: Tenancy,
  id: ConnectionId,
  options: CommandOptions
) => Effect.Effect<ResponseContent, CommandError | Refusal>

/** Makes the functions that run a command and respond with its result. */
const makeCommandResponses = Effect.gen(function* () {
  const fingerprints = yield* RequestFingerprints
  const waitForPlan = yield* makeWaitForPlan

  const respondToCommand = Effect.fnUntraced(function* <Refusal>(
    caller: Pick<AuthenticatedServer, "callableActions" | "tenancy">,
    { headers, path }: CommandRequest,
    segment: string,
    body: unknown,
    command: CommandFunction<Refusal>
  ) {
    const { callableActions, tenancy } = caller
    const route = `POST /v1/connections/${path.connectionId}/${segment}`
    const { moreFields, isReplayed, stored } = yield* command(tenancy, path.connectionId, {
      callableActions,
      idempotency: yield* idempotencyOf(fingerprints, tenancy, { route, key: headers["idempotency-key"], body }),
      ifVersion: toVersionCheck(headers["if-match"])
    })
    const waited = yield* waitForPlan(tenancy, stored, headers.prefer)
    const responseHeaders = { ...toReplayedHeader(isReplayed), ...waited.headers }
    return respondWithConnection(waited.stored, caller, 200, responseHeaders, moreFields)
  })

  /** Runs a command for a server, or for the browser whose token belongs to this connection. */
  const runForCaller = <Refusal>(
    request: CommandRequest,
    segment: string,
    body: unknown,
    command: CommandFunction<Refusal>
  ) =>
    Effect.gen(function* () {
      yield* requireConnection
      return yield* respondToCommand(yield* Caller, request, segment, body, command)
    })

  const runWithoutBody = <Refusal>(request: CommandRequest, segment: string, command: CommandFunction<Refusal>) =>
    withoutBody(runForCaller(request, segment, {}, command))

  return { respondToCommand, runForCaller, runWithoutBody }
})

const approvalUnavailable = new AuthorizationRefused({
  code: "approval_unavailable",
  message: "the provider writes the records after a consent on its own page, so that nothing can be approved before",
  details: [
    { pointer: "/approvedDigest", code: "approval_unavailable", message: "must be left out with domain_connect" }
  ]
})

const consentOf = (digest: PlanDigest, acknowledged: ReadonlyArray<Warning> = []): Consent => ({ digest, acknowledged })

const toApprovalInput = ({ acknowledge, digest, putBack = [] }: ApprovalRequest): ApprovalInput => ({
  ...consentOf(digest, acknowledge),
  putBack
})

type CredentialRequest = Extract<AuthorizationRequest, { readonly method: "direct_credential" }>

const toCredentialAuthorization = (request: CredentialRequest) => ({
  credential: request.credential,
  consent: Option.fromNullable(consentFieldsOf(request).consent)
})

const consentFieldsOf = ({ acknowledge, approvedDigest }: Pick<CredentialRequest, "acknowledge" | "approvedDigest">) =>
  approvedDigest === undefined ? {} : { consent: consentOf(approvedDigest, acknowledge) }

/** The request as it is hashed for its fingerprint, of which only the keyed hash is stored. */
const withPlainCredential = (request: CredentialRequest): unknown => ({
  ...request,
  credential: Redacted.value(request.credential)
})

/** The URL to which a customer returns from the provider, and the origin of the page that starts the flow. */
interface ReturnTarget {
  readonly from?: Origin
  readonly returnUrl?: string
}

/** The origin that names a return URL, none for a server, and the return origins that its application allows. */
interface ReturnRule {
  readonly callerOrigin: Option.Option<Origin>
  /** The `returnOrigins` of the application; empty if it has none. */
  readonly allowed: ReadonlyArray<Origin>
}

/**
 * Parses a return URL. A browser may return to the origin of its token and to those of the application; the customers of
 * a server to the latter or, if there are none, to any https page. Normalized as in browsers, so that it has one reading.
 */
export const parseReturnUrl = (
  text: string | undefined,
  { allowed, callerOrigin }: ReturnRule
): Either.Either<ReturnTarget, ReturnUrlNotAllowed> => {
  if (text === undefined)
    return Either.right(Option.match(callerOrigin, { onNone: () => ({}), onSome: (from) => ({ from }) }))
  return Option.liftPredicate(text, URL.canParse).pipe(
    Option.map((href) => new URL(href)),
    Option.filter(({ password, username }) => username === "" && password === ""),
    Option.flatMap((url) => Option.map(Either.getRight(parseOrigin(url.origin)), (origin) => ({ url, origin }))),
    Option.filter(
      ({ origin }) =>
        allowed.includes(origin) ||
        Option.match(callerOrigin, { onNone: () => allowed.length === 0, onSome: (own) => own === origin })
    ),
    Option.map(({ origin, url }) => ({ from: Option.getOrElse(callerOrigin, () => origin), returnUrl: url.href })),
    Either.fromOption(() => makeReturnUrlNotAllowed(callerOrigin, allowed.length > 0))
  )
}

const makeReturnUrlNotAllowed = (callerOrigin: Option.Option<Origin>, isRestricted: boolean): ReturnUrlNotAllowed => {
  const code = "return_url_not_allowed"
  const orAllowed = isRestricted ? ", or of another one of the application's returnOrigins" : ""
  const message = Option.match(callerOrigin, {
    onNone: () =>
      isRestricted
        ? "returnUrl must be a page of one of the application's returnOrigins"
        : "returnUrl must be an https URL without user and password",
    onSome: (origin) => `returnUrl must be a page of ${origin}, the origin of the token${orAllowed}`
  })
  return new ReturnUrlNotAllowed({ code, message, details: [{ pointer: "/returnUrl", code, message }] })
}
