import { HttpApiBuilder } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { profileOf } from "../../../domain/access/Application.ts"
import type { ApplicationId, Tenancy } from "../../../domain/access/Tenancy.ts"
import {
  type EnteredAddress,
  fillRecordTemplate,
  parseEnteredAddress
} from "../../../domain/connection/RecordTemplate.ts"
import { describeProblems, type ErrorDetail, limitErrorDetails } from "../../../domain/error/ErrorDetail.ts"
import { toFqdn } from "../../../domain/names/DomainName.ts"
import { Connections } from "../../../lifecycle/commands/Connections.ts"
import { Unprocessable } from "../../../lifecycle/commands/commandErrors.ts"
import { resolveAllowedIntent } from "../../../lifecycle/plan/AllowedDomains.ts"
import { DomainChecks } from "../../../lifecycle/plan/DomainChecks.ts"
import { explainFailure } from "../../../lifecycle/state/failures.ts"
import { releasePermit } from "../../../limits/ConcurrencyLimiter.ts"
import { CredentialGate } from "../../../limits/CredentialGate.ts"
import { browserSource } from "../../../limits/RequestSource.ts"
import { ApplicationStore } from "../../../persistence/stores/access/ApplicationStore.ts"
import { dieOnStoreUnavailable } from "../../../persistence/StoreUnavailable.ts"
import { BrowserTokens } from "../../../security/BrowserTokens.ts"
import { DomainEntryTokens } from "../../../security/DomainEntryTokens.ts"
import { RequestFingerprints } from "../../../security/RequestFingerprints.ts"
import { DomainEntryCaller, ServerCaller } from "../../contract/securitySchemes.ts"
import { Exchange } from "../../pipeline/Exchange.ts"
import { explainUnauthenticated } from "../../pipeline/requiredCredential.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { Api } from "../Api.ts"
import { parseTokenOrigin } from "../connections/parseTokenOrigin.ts"
import { idempotencyOf } from "../responses.ts"

export const DomainEntryHandlers = HttpApiBuilder.group(
  Api,
  "domainEntry",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* ApplicationStore
    const browserTokens = yield* BrowserTokens
    const { preview } = yield* DomainChecks
    const connections = yield* Connections
    const fingerprints = yield* RequestFingerprints
    const gate = yield* CredentialGate
    const resolveRequest = yield* resolveAllowedIntent
    const tokens = yield* DomainEntryTokens

    const requireTemplate = (id: ApplicationId) =>
      Effect.flatMap(applications.findSettings(id), ({ recordTemplate }) =>
        recordTemplate === undefined ? refuse([templateMissing]) : Effect.succeed(recordTemplate)
      )

    /** The address that the customer typed, and the intent that the application has for it. */
    const fill = Effect.fnUntraced(function* ({ applicationId }: Tenancy, text: string) {
      const template = yield* requireTemplate(applicationId)
      const address = yield* Either.match(parseEnteredAddress(text), {
        onLeft: (issue) => refuse([{ pointer: "/domain", ...issue }]),
        onRight: Effect.succeed
      })
      return { address, intent: fillRecordTemplate(template, address) }
    })

    return yield* handlers
      .handle(
        "issueToken",
        Effect.fnUntraced(function* ({ payload: { externalId, origin: text } }) {
          const { keyId, tenancy } = yield* ServerCaller
          const origin = yield* parseTokenOrigin(text)
          yield* requireTemplate(tenancy.applicationId)
          const { expiresAt, token } = yield* tokens.issue({
            tenancy,
            apiKeyId: keyId,
            origin,
            ...(externalId === undefined ? {} : { externalId })
          })
          return { accessToken: token, tokenType: "Bearer" as const, expiresAt }
        }, dieOnStoreUnavailable)
      )
      .handle(
        "getPlatform",
        Effect.fnUntraced(function* () {
          const { tenancy } = yield* DomainEntryCaller
          return { platform: profileOf(yield* applications.findSettings(tenancy.applicationId)) }
        })
      )
      .handle(
        "check",
        Effect.fnUntraced(function* ({ payload: { domain: text } }) {
          const { tenancy } = yield* DomainEntryCaller
          const { address, intent } = yield* fill(tenancy, text)
          const resolved = yield* Either.match(resolveRequest(intent), {
            onLeft: (issues) => refuse(limitErrorDetails(issues).map(pointAtDomain)),
            onRight: Effect.succeed
          })
          releasePermit(yield* Exchange)
          const found = { ...address, name: nameOf(address) }
          return yield* preview(tenancy, resolved).pipe(
            Effect.map(({ planned, provider: { id, name } }) => ({
              ...found,
              provider: { id, name },
              ...Either.match(planned, { onLeft: ({ code }) => toFailure({ code }), onRight: () => ({}) })
            })),
            Effect.catchTag("ZoneSurveyFailed", ({ code, provider }) =>
              Effect.succeed({
                ...found,
                ...Option.match(provider, {
                  onNone: () => ({}),
                  onSome: ({ id, name }) => ({ provider: { id, name } })
                }),
                ...toFailure({ code })
              })
            )
          )
        }, dieOnStoreUnavailable)
      )
      .handle(
        "connect",
        Effect.fnUntraced(
          function* ({ payload: { domain: text } }) {
            const { apiKeyId, externalId, origin, tenancy, tokenId } = yield* DomainEntryCaller
            const { address, intent } = yield* fill(tenancy, text)
            // A token creates one connection: it is the key of its creation, whatever the template is by then.
            const idempotency = yield* idempotencyOf(fingerprints, tenancy, {
              route: "POST /v1/domain-entry",
              key: tokenId,
              body: nameOf(address)
            })
            const { stored } = yield* connections
              .create(tenancy, intent, idempotency, { apiKeyId, ...(externalId === undefined ? {} : { externalId }) })
              .pipe(
                Effect.catchTags({
                  Unprocessable: ({ details = [] }) => refuse(details.map(pointAtDomain)),
                  Unauthenticated: () =>
                    Effect.flatMap(Exchange, (exchange) => explainUnauthenticated(exchange, "domainEntryToken"))
                })
              )
            const { expiresAt, token } = yield* browserTokens.issue(tenancy, {
              connectionId: stored.id,
              origin,
              apiKeyId
            })
            gate.trust(token, origin, browserSource(tenancy, stored.id))
            return { connectionId: stored.id, accessToken: token, tokenType: "Bearer" as const, expiresAt }
          },
          Effect.catchTag("ConnectionNotFound", Effect.die),
          dieOnStoreUnavailable
        )
      )
      .pipe(serveEndpoints)
  })
)

const nameOf = ({ domain, host }: EnteredAddress): string => toFqdn(host, domain)

const refuse = (details: ReadonlyArray<ErrorDetail>) =>
  new Unprocessable({ code: "unprocessable", message: describeProblems("the request", details), details })

const templateMissing: ErrorDetail = {
  pointer: "",
  code: "record_template_missing",
  message: "the application has no record template"
}

/** The customer has typed nothing but the domain. */
const pointAtDomain = (detail: ErrorDetail): ErrorDetail => ({ ...detail, pointer: "/domain" })

const toFailure = (cause: Parameters<typeof explainFailure>[0]) => {
  const { code, message } = explainFailure(cause)
  return { failure: { code, message } }
}
