import { HttpApiBuilder } from "@effect/platform"
import { Array, DateTime, Duration, Effect, Option, Redacted, Struct } from "effect"
import { Applications } from "../../../administration/Applications.ts"
import { AskSecrets, type IssuedAskSecret } from "../../../administration/AskSecrets.ts"
import type { DomainConnectKey } from "../../../domain/access/DomainConnectKey.ts"
import { type ApplicationId, tenantKeyScopes } from "../../../domain/access/Tenancy.ts"
import type { StoredApiKey } from "../../../persistence/stores/access/ApiKeyStore.ts"
import { formatPublicKey } from "../../../domainConnect/signature.ts"
import { QuotaExceeded } from "../../../limits/limitErrors.ts"
import { ApiKeys, type IssuedApiKey } from "../../../security/ApiKeys.ts"
import { DomainConnectKeys, maxSigningKeys, type TooManySigningKeys } from "../../../security/DomainConnectKeys.ts"
import { NewApiKeyBody, NewAskSecretBody } from "./AdminKeysApi.ts"
import { PublicUrl } from "../../PublicUrl.ts"
import { Api } from "../Api.ts"
import { AdminCaller } from "../../contract/securitySchemes.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { makeIdempotentAnswer } from "./idempotentAnswers.ts"
import { toPage, toPageRequest } from "../../contract/listParameters.ts"
import { withoutBody } from "../responses.ts"

export const AdminKeysHandlers = HttpApiBuilder.group(
  Api,
  "adminKeys",
  Effect.fnUntraced(function* (handlers) {
    const applications = yield* Applications
    const apiKeys = yield* ApiKeys
    const askSecrets = yield* AskSecrets
    const signingKeys = yield* DomainConnectKeys
    const answerIdempotently = yield* makeIdempotentAnswer

    const { pathOf } = yield* PublicUrl
    const showAskSecret = ({ askSecret, secret }: IssuedAskSecret) => ({
      askSecret,
      secret,
      path: Redacted.make(pathOf(`/v1/domains/allowed/${Redacted.value(secret)}`))
    })

    const showIssued = (applicationId: ApplicationId, { id, key }: IssuedApiKey) =>
      Effect.map(Effect.orDie(apiKeys.findOf(applicationId, id)), (stored) => ({ apiKey: toApiKey(stored), key }))

    return yield* handlers
      .handle("createKey", ({ headers, path: { applicationId }, payload }) => {
        const { expiresInDays, scopes = tenantKeyScopes, tenantId, ...name } = payload
        const create = Effect.gen(function* () {
          yield* applications.find(applicationId)
          const { environment } = yield* AdminCaller
          const end =
            expiresInDays === undefined ? {} : { expiresAt: DateTime.add(yield* DateTime.now, { days: expiresInDays }) }
          const tenancy = { applicationId, tenantId }
          const issued = yield* apiKeys.issue({ tenancy, scopes, environment, ...name, ...end })
          return yield* showIssued(applicationId, issued)
        })
        const route = `POST /v1/admin/applications/${applicationId}/api-keys`
        return answerIdempotently({ route, key: headers["idempotency-key"], body: payload }, NewApiKeyBody, create)
      })
      .handle("listKeys", ({ path, urlParams: { tenantId, ...parameters } }) =>
        Effect.gen(function* () {
          yield* applications.find(path.applicationId)
          const rows = yield* apiKeys.listOf(path.applicationId, {
            ...toPageRequest(parameters),
            ...(tenantId === undefined ? {} : { tenantId })
          })
          const { page, ...next } = toPage(rows, parameters)
          return { apiKeys: page.map(toApiKey), ...next }
        })
      )
      .handle("rotateKey", ({ headers, path: { applicationId, keyId }, payload }) => {
        const rotate = Effect.gen(function* () {
          yield* applications.find(applicationId)
          const { prefix } = yield* apiKeys.findOf(applicationId, keyId)
          const overlap = Duration.seconds(payload.overlapSeconds)
          return yield* showIssued(applicationId, yield* apiKeys.rotate(keyId, overlap, environmentOf(prefix)))
        })
        const route = `POST /v1/admin/applications/${applicationId}/api-keys/${keyId}/rotate`
        return answerIdempotently({ route, key: headers["idempotency-key"], body: payload }, NewApiKeyBody, rotate)
      })
      .handle("revokeKey", ({ path: { applicationId, keyId } }) =>
        Effect.gen(function* () {
          yield* applications.find(applicationId)
          yield* apiKeys.findOf(applicationId, keyId)
          yield* apiKeys.revoke(keyId)
        })
      )
      .handle("createSecret", ({ headers, path: { applicationId } }) => {
        const create = Effect.map(
          Effect.zipRight(applications.find(applicationId), askSecrets.issue(applicationId)),
          showAskSecret
        )
        const route = `POST /v1/admin/applications/${applicationId}/ask-secrets`
        const request = { route, key: headers["idempotency-key"], body: {} }
        return withoutBody(answerIdempotently(request, NewAskSecretBody, create))
      })
      .handle("listSecrets", ({ path: { applicationId }, urlParams }) =>
        Effect.gen(function* () {
          yield* applications.find(applicationId)
          const rows = yield* askSecrets.list(applicationId, toPageRequest(urlParams))
          const { page, ...next } = toPage(rows, urlParams)
          return { askSecrets: page, ...next }
        })
      )
      .handle("rotateSecret", ({ headers, path: { applicationId, secretId }, payload }) => {
        const overlap = Duration.seconds(payload.overlapSeconds)
        const rotate = Effect.map(
          Effect.zipRight(applications.find(applicationId), askSecrets.rotate(applicationId, secretId, overlap)),
          showAskSecret
        )
        const route = `POST /v1/admin/applications/${applicationId}/ask-secrets/${secretId}/rotate`
        return answerIdempotently({ route, key: headers["idempotency-key"], body: payload }, NewAskSecretBody, rotate)
      })
      .handle("revokeSecret", ({ path: { applicationId, secretId } }) =>
        Effect.zipRight(applications.find(applicationId), askSecrets.revoke(applicationId, secretId))
      )
      .handle("putSigningKey", ({ path }) =>
        withoutBody(
          Effect.gen(function* () {
            yield* applications.find(path.applicationId)
            const created = yield* Effect.catchTag(signingKeys.create(path), "TooManySigningKeys", toQuotaExceeded)
            const isNamed = ({ domain, label }: DomainConnectKey) => domain === path.domain && label === path.label
            const key = Option.isSome(created)
              ? created
              : Array.findFirst(yield* signingKeys.list(path.applicationId), isNamed)
            return { domainConnectKey: toSigningKey(yield* Effect.orDie(key)) }
          })
        )
      )
      .handle("listSigningKeys", ({ path: { applicationId } }) =>
        Effect.map(Effect.zipRight(applications.find(applicationId), signingKeys.list(applicationId)), (keys) => ({
          domainConnectKeys: keys.map(toSigningKey)
        }))
      )
      .handle("deleteSigningKey", ({ path }) =>
        Effect.asVoid(Effect.zipRight(applications.find(path.applicationId), signingKeys.remove(path)))
      )
      .pipe(serveEndpoints)
  })
)

/** The word of a key that its successor has too. */
const environmentOf = (prefix: string): string => /^dck_([a-z]+)_/.exec(prefix)?.[1] ?? "live"

const toQuotaExceeded = ({ message }: TooManySigningKeys) =>
  new QuotaExceeded({
    code: "quota_exceeded",
    message,
    details: [
      {
        pointer: "",
        code: "domain_connect_keys_per_application",
        message: `${maxSigningKeys} of ${maxSigningKeys} are used`
      }
    ]
  })

const toSigningKey = ({ domain, label, publicKey }: DomainConnectKey) => ({
  domain,
  label,
  records: formatPublicKey(publicKey)
})

const toApiKey = ({ createdAt, expiresAt, lastUsedAt, name, revokedAt, ...key }: StoredApiKey) => ({
  ...Struct.pick(key, "id", "prefix", "tenantId", "scopes"),
  createdAt: DateTime.unsafeFromDate(createdAt),
  ...(name === null ? {} : { name }),
  ...(expiresAt === null ? {} : { expiresAt: DateTime.unsafeFromDate(expiresAt) }),
  ...(revokedAt === null ? {} : { revokedAt: DateTime.unsafeFromDate(revokedAt) }),
  ...(lastUsedAt === null ? {} : { lastUsedAt: DateTime.unsafeFromDate(lastUsedAt) })
})
