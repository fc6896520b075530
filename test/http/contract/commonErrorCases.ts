import { Effect, Layer } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { AdminKeyStore } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import { AskSecretStore } from "../../../src/persistence/stores/access/AskSecretStore.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { maxBodyBytes } from "../../../src/http/contract/bodyLimits.ts"
import { BodyRateFloor } from "../../../src/http/pipeline/limitJsonBody.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import {
  apiInMemory,
  get,
  issueAdminKey,
  issueKey,
  issueScopedAdminKey,
  send,
  tenancyOf
} from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { drainingApi } from "../support/drainingApi.ts"
import {
  casesOf,
  credentialHeadersOf,
  type ErrorCases,
  fillPath,
  operations,
  sendAsCaller,
  sendTo,
  sendToApplication
} from "../support/errorCases.ts"
import { captureLog } from "../support/logCapture.ts"
import { sendRaw } from "../support/sendRaw.ts"

/** How many malformed credentials an address may send in a minute in which one may be refused. */
const malformedPerMinute = 20

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

/** The API whose stores of credentials answer each look-up like this. */
const withCredentialLookUp = (lookUp: Effect.Effect<never, StoreUnavailable>) =>
  apiWith(
    Layer.mergeAll(
      overrideService(AdminKeyStore, () => ({ find: () => lookUp })),
      overrideService(AskSecretStore, () => ({ ask: () => lookUp })),
      overrideService(ApiKeyStore, () => ({ find: () => lookUp, findOf: () => lookUp })),
      overrideService(BrowserTokenStore, () => ({ redeemCode: () => lookUp }))
    )
  )

/** The errors that many operations answer to the same kind of request. */
export const commonErrorCases: ReadonlyArray<ErrorCases> = [
  {
    title: "an API without limits",
    service: apiInMemory(),
    cases: [
      ...casesOf([405, "method_not_allowed"], operations.all, (operation) =>
        sendTo(operation, { method: operation.path.endsWith("Id}") ? "POST" : "PATCH" })
      ),
      ...casesOf([415, "unsupported_media_type"], operations.readingBody, (operation) =>
        sendTo(operation, { body: "text", headers: { "content-type": "text/plain" } })
      ),
      ...casesOf([413, "body_too_large"], operations.readingBody, (operation) =>
        sendTo(operation, { body: " ".repeat(maxBodyBytes + 1), headers: { "content-type": "application/json" } })
      ),
      ...casesOf([401, "unauthenticated"], operations.forKeys, (operation) => sendTo(operation)),
      ...casesOf(
        [401, "unauthenticated"],
        [...operations.forAdministrators, ...operations.forWebServers],
        (operation) => sendTo(operation)
      ),
      ...casesOf([403, "api_key_in_browser"], operations.forAdministrators, (operation) =>
        sendAsCaller(operation, { headers: { origin: shopOrigin } })
      ),
      ...casesOf([404, "application_not_found"], operations.ofApplications, (operation) => sendAsCaller(operation)),
      ...casesOf([401, "unauthenticated"], operations.forHostedPage, (operation) => sendAsCaller(operation)),
      ...casesOf([403, "api_key_in_browser"], operations.forKeys, (operation) =>
        sendAsCaller(operation, { headers: { origin: shopOrigin } })
      ),
      ...casesOf([403, "origin_not_allowed"], operations.forBrowserTokens, (operation) =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const authorization = yield* issueBearer(key, yield* createConnectionPath(key))
          return yield* sendTo(operation, { headers: { authorization, origin: "https://other.example.com" } })
        })
      ),
      ...casesOf([403, "origin_not_allowed"], operations.forHostedPage, (operation) =>
        sendAsCaller(operation, { headers: { "sec-fetch-site": "cross-site" } })
      ),
      ...casesOf([403, "insufficient_scope"], operations.forKeys, (operation) =>
        sendAsCaller(operation, {}, ownTenancy, [])
      ),
      ...casesOf([403, "insufficient_scope"], operations.forAdministrators, (operation) =>
        Effect.flatMap(issueScopedAdminKey([]), (key) => sendTo(operation, { headers: { "x-admin-key": key } }))
      ),
      ...casesOf([400, "invalid_request"], operations.all, (operation) =>
        sendAsCaller(operation, { query: "?unknown=1" })
      ),
      ...casesOf([400, "malformed_json"], operations.readingBody, (operation) =>
        sendAsCaller(operation, { body: "{" })
      ),
      ...casesOf([404, "not_found"], operations.ofConnections, (operation) => sendAsCaller(operation)),
      ...casesOf([404, "webhook_endpoint_not_found"], operations.ofWebhookEndpoints, (operation) =>
        sendToApplication(operation)
      )
    ]
  },
  {
    title: "an API that waits for no body",
    service: Layer.provide(
      apiInMemory(),
      Layer.succeed(BodyRateFloor, { graceMillis: 0, bytesPerSecond: Infinity, maxMillis: 0 })
    ),
    cases: casesOf([408, "body_too_slow"], operations.readingBody, (operation) =>
      Effect.flatMap(credentialHeadersOf(operation), (credential) =>
        sendRaw({
          line: `${operation.method} ${fillPath(operation.path)} HTTP/1.1`,
          headers: [...Object.entries(credential).map((header) => header.join(": ")), "Content-Length: 100"],
          body: ["{"]
        })
      )
    )
  },
  {
    title: "an API that allows one request a minute",
    service: apiInMemory({ rates: { server: 1, refused: 1 } }),
    cases: [
      ...casesOf([429, "rate_limited"], operations.forKeys, (operation) => {
        const tenancy = tenancyOf("app", operation.id)
        return Effect.gen(function* () {
          const { key } = yield* issueKey(tenancy)
          yield* get("/v1/usage", key)
          return yield* sendAsCaller(operation, {}, tenancy)
        })
      }),
      ...casesOf([429, "rate_limited"], operations.forAdministrators, (operation) =>
        Effect.gen(function* () {
          const headers = { "x-admin-key": yield* issueAdminKey }
          yield* send("/v1/admin/applications", { headers })
          return yield* sendTo(operation, { headers })
        })
      ),
      ...casesOf([429, "rate_limited"], operations.forWebServers, () => {
        const malformed = send("/v1/domains/allowed/dcas_malformed?domain=shop.example.com")
        return Effect.zipRight(Effect.replicateEffect(malformed, malformedPerMinute), malformed)
      }),
      ...casesOf([429, "rate_limited"], operations.forHostedPage, (operation) => {
        const malformed = sendAsCaller(operation, { body: { code: "malformed" } })
        return Effect.zipRight(Effect.replicateEffect(malformed, malformedPerMinute), malformed)
      })
    ]
  },
  {
    title: "an API that is shutting down",
    service: drainingApi,
    cases: casesOf([503, "draining"], operations.all, (operation) => sendAsCaller(operation))
  },
  {
    title: "an API whose database cannot be reached",
    service: withCredentialLookUp(unavailable),
    cases: casesOf([503, "unavailable"], operations.all, (operation) => sendAsCaller(operation))
  },
  {
    title: "an API with a defect",
    service: Layer.provide(withCredentialLookUp(Effect.die(new Error("a defect"))), captureLog().layer),
    cases: casesOf([500, "internal_error"], operations.all, (operation) => sendAsCaller(operation))
  }
]
