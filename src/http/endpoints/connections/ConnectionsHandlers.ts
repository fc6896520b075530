import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { DateTime, Effect, Either, Option } from "effect"
import { profileOf } from "../../../domain/access/Application.ts"
import { parseDomain } from "../../../domain/names/DomainName.ts"
import type { ValueIssue } from "../../../domain/error/ErrorDetail.ts"
import { Connections } from "../../../lifecycle/commands/Connections.ts"
import { ApplicationStore } from "../../../persistence/stores/access/ApplicationStore.ts"
import { ConnectionStore } from "../../../persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../persistence/stores/connections/ConnectionViews.ts"
import type { StoredConnection } from "../../../persistence/stores/connections/StoredConnection.ts"
import { BrowserTokens } from "../../../security/BrowserTokens.ts"
import { RequestFingerprints } from "../../../security/RequestFingerprints.ts"
import { Api } from "../Api.ts"
import { InvalidRequest } from "../../contract/errorResponses.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { defaultPageLimit, paginate, readMetadataFilter, toPageRequest } from "../../contract/listParameters.ts"
import { type AuthenticatedServer, Caller, ServerCaller } from "../../contract/securitySchemes.ts"
import { CredentialGate } from "../../../limits/CredentialGate.ts"
import { browserSource } from "../../../limits/RequestSource.ts"
import { requireConnection } from "../../pipeline/authenticate.ts"
import {
  etagOf,
  formatDocument,
  idempotencyOf,
  matchesIfNoneMatch,
  respondWithConnection,
  respondWithJson,
  toCurrent,
  toVersionCheck,
  toReplayedHeader
} from "../responses.ts"
import { parseTokenOrigin } from "./parseTokenOrigin.ts"
import { makeWaitForPlan } from "./waitForPlan.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { explainUnauthenticated } from "../../pipeline/requiredCredential.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"

/** Handles the endpoints of connections. Stored JSON documents are sent as they are, without being decoded. */
export const ConnectionsHandlers = HttpApiBuilder.group(
  Api,
  "connections",
  Effect.fnUntraced(function* (handlers) {
    const connections = yield* Connections
    const applications = yield* ApplicationStore
    const tokens = yield* BrowserTokens
    const gate = yield* CredentialGate
    const store = yield* ConnectionStore
    const views = yield* ConnectionViews
    const fingerprints = yield* RequestFingerprints
    const waitForPlan = yield* makeWaitForPlan

    return yield* handlers
      .handle(
        "create",
        Effect.fnUntraced(
          function* ({ headers, payload }) {
            const caller = yield* ServerCaller
            const { keyId, tenancy } = caller
            const { intent, ...options } = payload
            const idempotency = yield* idempotencyOf(fingerprints, tenancy, {
              route: "POST /v1/connections",
              key: headers["idempotency-key"],
              // An intent alone has the fingerprint that it had before there was anything else.
              body: Object.keys(options).length === 0 ? intent : payload
            })
            const { isReplayed, stored } = yield* connections
              .create(tenancy, intent, idempotency, { ...options, apiKeyId: keyId })
              .pipe(
                Effect.catchTag("Unauthenticated", () =>
                  Effect.flatMap(Exchange, (exchange) => explainUnauthenticated(exchange, "apiKey"))
                )
              )
            const waited = yield* waitForPlan(tenancy, stored, headers.prefer)
            return respondWithCreated(waited.stored, caller, isReplayed, waited.headers)
          },
          Effect.catchTag("ConnectionNotFound", Effect.die),
          dieOnStoreUnavailable
        )
      )
      .handle(
        "list",
        Effect.fnUntraced(function* ({ urlParams }) {
          const { domain, externalId, limit = defaultPageLimit, state: states } = urlParams
          const metadata = readMetadataFilter(urlParams)
          const { callableActions, tenancy } = yield* ServerCaller
          const name = yield* Option.match(Option.fromNullable(domain), {
            onNone: () => Either.right(Option.none()),
            onSome: (text) => Either.mapBoth(parseDomain(text), { onLeft: toInvalidFilter, onRight: Option.some })
          })
          const rows = yield* views.list(
            tenancy,
            {
              ...(states === undefined ? {} : { states }),
              ...(Option.isNone(name) ? {} : { domain: name.value }),
              ...(externalId === undefined ? {} : { externalId }),
              metadata
            },
            { ...toPageRequest(urlParams), maxBytes: maxPageBytes }
          )
          const { nextCursor, page } = paginate(rows, limit, ({ doc }) => Buffer.byteLength(doc), maxPageBytes)
          const next = Option.match(nextCursor, { onNone: () => "", onSome: (cursor) => `,"nextCursor":"${cursor}"` })
          const now = yield* DateTime.now
          const documents = page.map((stored) => formatDocument(toCurrent(stored, now), callableActions))
          return respondWithJson(`{"connections":[${documents.join()}]${next}}`)
        })
      )
      .handle(
        "get",
        Effect.fnUntraced(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const stored = yield* requireConnection
          const etag = etagOf(stored)
          return matchesIfNoneMatch(headers["if-none-match"] ?? "", etag)
            ? HttpServerResponse.empty({ status: 304, headers: { etag } })
            : respondWithConnection(toCurrent(stored, yield* DateTime.now), yield* Caller, 200)
        })
      )
      .handle(
        "getPlatform",
        Effect.fnUntraced(function* () {
          yield* requireConnection
          const { tenancy } = yield* Caller
          const settings = yield* applications.findSettings(tenancy.applicationId)
          return { platform: profileOf(settings) }
        })
      )
      .handle(
        "issueToken",
        Effect.fnUntraced(function* ({ path, payload }) {
          const { keyId, tenancy } = yield* ServerCaller
          const origin = yield* parseTokenOrigin(payload.origin)
          const { expiresAt, token } = yield* tokens.issue(tenancy, {
            connectionId: path.connectionId,
            origin,
            apiKeyId: keyId
          })
          gate.trust(token, origin, browserSource(tenancy, path.connectionId))
          return { accessToken: token, tokenType: "Bearer" as const, expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "revokeTokens",
        Effect.fnUntraced(function* ({ path: { connectionId } }) {
          const { tenancy } = yield* ServerCaller
          yield* store.find(tenancy, connectionId)
          yield* tokens.revoke(tenancy, connectionId)
        })
      )
      .handle(
        "erase",
        Effect.fnUntraced(function* ({ headers, path: { connectionId } }) {
          const { callableActions, tenancy } = yield* ServerCaller
          yield* connections.erase(tenancy, connectionId, {
            callableActions,
            ifVersion: toVersionCheck(headers["if-match"])
          })
        })
      )
      .pipe(serveEndpoints)
  })
)

/** A list of many large connections has shorter pages, so that clients which read slowly cannot use up the memory. */
const maxPageBytes = 1_048_576

/** No connection has this domain, since it could not be created. */
const toInvalidFilter = (issue: ValueIssue): InvalidRequest => InvalidRequest.of([{ pointer: "/domain", ...issue }])

const respondWithCreated = (
  stored: StoredConnection,
  caller: AuthenticatedServer,
  isReplayed: boolean,
  headers: Record<string, string>
) =>
  respondWithConnection(stored, caller, 201, {
    location: `/v1/connections/${stored.id}`,
    ...toReplayedHeader(isReplayed),
    ...headers
  })
