import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationNotFound, AskSecretNotFound } from "../../../administration/administrationErrors.ts"
import { AskSecret, AskSecretId } from "../../../domain/access/AskSecret.ts"
import { KeyDomain, KeyLabel } from "../../../domain/access/DomainConnectKey.ts"
import { allKeyScopes, ApiKeyId, KeyName, KeyScope, TenantId, tenantKeyScopes } from "../../../domain/access/Tenancy.ts"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { assignedId, boundedArray, optional } from "../../../domain/values/boundedSchemas.ts"
import { documentDefault } from "../../../domain/values/documentedDefaults.ts"
import { ApiKeyNotFound } from "../../../security/ApiKeys.ts"
import { applicationNotFound, defineAdminPath, RotationRequest } from "./adminRequests.ts"
import { defineErrorResponse, oneOf } from "../../contract/defineErrorResponse.ts"
import {
  commandLimited,
  idempotencyConflict,
  idempotencyKeyReused,
  invalidBody,
  invalidRequest,
  unavailable
} from "../../contract/operationErrors.ts"
import { listPage, NextPageCursor } from "../../contract/listParameters.ts"
import { IdempotencyKeyHeader, strictParsing } from "../../contract/requestSchemas.ts"
import { allowAdmins } from "../../contract/securitySchemes.ts"

const application = "/v1/admin/applications/:applicationId"
const keys = `${application}/api-keys` as const
const askSecrets = `${application}/ask-secrets` as const

const applicationPath = defineAdminPath({})

const keyPath = defineAdminPath({ keyId: Schema.compose(assignedId("The API key, by its id."), ApiKeyId) })
const secretPath = defineAdminPath({ secretId: AskSecretId })

const onlyOnce = Schema.Struct({ "idempotency-key": IdempotencyKeyHeader })

/** An API key without its secret, as administrators see it. */
const ApiKeyDocument = Schema.Struct({
  id: ApiKeyId.annotations({ description: "Assigned by the service." }),
  prefix: Schema.String.annotations({ description: "The beginning of the key, by which its owner recognizes it." }),
  name: optional(KeyName),
  tenantId: TenantId,
  scopes: Schema.Array(KeyScope),
  createdAt: Timestamp,
  expiresAt: Schema.optionalWith(Timestamp, { exact: true }),
  revokedAt: Schema.optionalWith(Timestamp, { exact: true }),
  lastUsedAt: Schema.optionalWith(Timestamp, { exact: true })
}).annotations({ identifier: "ApiKey" })

/** A new API key with its secret, which is shown only here. */
export const NewApiKeyBody = Schema.Struct({
  apiKey: ApiKeyDocument,
  key: Schema.Redacted(Schema.String).annotations({ description: "For `x-api-key`. Shown only once." })
}).annotations(
  HttpApiSchema.annotations({ identifier: "NewApiKeyBody", description: "The API key and its secret.", status: 201 })
)

/** A new ask secret, which is shown only here. */
export const NewAskSecretBody = Schema.Struct({
  askSecret: AskSecret,
  secret: Schema.Redacted(Schema.String).annotations({ description: "Shown only once." }),
  path: Schema.Redacted(Schema.String).annotations({
    description: "The path at which the web server asks; it adds `?domain=`."
  })
}).annotations(
  HttpApiSchema.annotations({ identifier: "NewAskSecretBody", description: "The ask secret.", status: 201 })
)

const apiKeyNotFound = defineErrorResponse("There is no such application, or it has no such API key that is valid.", [
  ApplicationNotFound,
  ApiKeyNotFound
])

const askSecretNotFound = defineErrorResponse(
  "There is no such application, or it has no such ask secret that is valid.",
  [ApplicationNotFound, AskSecretNotFound]
)

const createKey = HttpApiEndpoint.post("createKey", keys)
  .setPath(applicationPath)
  .setHeaders(onlyOnce)
  .setPayload(
    Schema.Struct({
      tenantId: TenantId,
      scopes: Schema.optionalWith(
        documentDefault(
          boundedArray(KeyScope, { min: 1, max: allKeyScopes.length }).annotations({
            description: "The scopes of a new API key: if they are left out, those of its tenant alone."
          }),
          {
            identifier: "NewKeyScopes",
            value: tenantKeyScopes
          }
        ),
        { exact: true }
      ).annotations({ description: "The scopes of webhooks and of the audit log tell of all tenants." }),
      name: optional(KeyName),
      expiresInDays: optional(
        Schema.Int.pipe(
          Schema.between(1, 3_650, { message: () => "must be a whole number from 1 to 3650" })
        ).annotations({
          jsonSchema: {
            type: "integer",
            minimum: 1,
            maximum: 3650,
            description: "After how many days the key ends by itself; without it never."
          }
        })
      )
    }).annotations({ identifier: "CreateApiKeyRequest", ...strictParsing })
  )
  .addSuccess(NewApiKeyBody)
  .addError(oneOf(invalidBody, applicationNotFound, idempotencyConflict, idempotencyKeyReused, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "createApiKey")
  .annotate(OpenApi.Summary, "Create an API key")
  .annotate(
    OpenApi.Description,
    "For a tenant of the application, which needs no creation of its own. An admin key of test mode makes keys of test mode."
  )

const listKeys = HttpApiEndpoint.get("listKeys", keys)
  .setPath(applicationPath)
  .setUrlParams(
    Schema.Struct({
      tenantId: Schema.optionalWith(TenantId.annotations({ description: "Only the keys of this tenant." }), {
        exact: true
      }),
      ...listPage("asc")
    })
  )
  .addSuccess(
    Schema.Struct({ apiKeys: Schema.Array(ApiKeyDocument), nextCursor: NextPageCursor }).annotations({
      identifier: "ApiKeyListBody",
      description: "The API keys, valid or not."
    })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listApiKeys")
  .annotate(OpenApi.Summary, "List the API keys of an application")
  .annotate(OpenApi.Description, "Without their secrets, which nobody can read any more.")

const rotateKey = HttpApiEndpoint.post("rotateKey", `${keys}/:keyId/rotate`)
  .setPath(keyPath)
  .setHeaders(onlyOnce)
  .setPayload(RotationRequest)
  .addSuccess(NewApiKeyBody)
  .addError(oneOf(invalidBody, apiKeyNotFound, idempotencyConflict, idempotencyKeyReused, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "rotateApiKey")
  .annotate(OpenApi.Summary, "Rotate an API key")
  .annotate(
    OpenApi.Description,
    "Creates a successor with the same tenant, scopes and name; the old key expires later."
  )

const revokeKey = HttpApiEndpoint.del("revokeKey", `${keys}/:keyId`)
  .setPath(keyPath)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The API key is not valid any more." }))
  .addError(oneOf(invalidBody, apiKeyNotFound, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "revokeApiKey")
  .annotate(OpenApi.Summary, "Revoke an API key")
  .annotate(OpenApi.Description, "At once and for good, with the browser tokens that were issued with it.")

const createSecret = HttpApiEndpoint.post("createSecret", askSecrets)
  .setPath(applicationPath)
  .setHeaders(onlyOnce)
  .addSuccess(NewAskSecretBody)
  .addError(oneOf(invalidBody, applicationNotFound, idempotencyConflict, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "createAskSecret")
  .annotate(OpenApi.Summary, "Create an ask secret")
  .annotate(OpenApi.Description, "With it a web server asks which hosts the application serves, without an API key.")

const listSecrets = HttpApiEndpoint.get("listSecrets", askSecrets)
  .setPath(applicationPath)
  .setUrlParams(Schema.Struct(listPage("asc")))
  .addSuccess(
    Schema.Struct({ askSecrets: Schema.Array(AskSecret), nextCursor: NextPageCursor }).annotations({
      identifier: "AskSecretListBody",
      description: "The valid ask secrets."
    })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listAskSecrets")
  .annotate(OpenApi.Summary, "List the ask secrets of an application")
  .annotate(OpenApi.Description, "The valid ones, by the part that may be shown.")

const rotateSecret = HttpApiEndpoint.post("rotateSecret", `${askSecrets}/:secretId/rotate`)
  .setPath(secretPath)
  .setHeaders(onlyOnce)
  .setPayload(RotationRequest)
  .addSuccess(NewAskSecretBody)
  .addError(oneOf(invalidBody, askSecretNotFound, idempotencyConflict, idempotencyKeyReused, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "rotateAskSecret")
  .annotate(OpenApi.Summary, "Rotate an ask secret")
  .annotate(OpenApi.Description, "Creates a successor; the old secret expires later.")

const revokeSecret = HttpApiEndpoint.del("revokeSecret", `${askSecrets}/:secretId`)
  .setPath(secretPath)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "The ask secret is not valid any more." }))
  .addError(oneOf(invalidBody, askSecretNotFound, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "revokeAskSecret")
  .annotate(OpenApi.Summary, "Revoke an ask secret")
  .annotate(OpenApi.Description, "At once and for good.")

const signingKeys = `${application}/domain-connect-keys` as const

const signingKeyPath = defineAdminPath({
  domain: KeyDomain.annotations({ description: "`syncPubKeyDomain` of the templates." }),
  label: KeyLabel.annotations({ description: "The label below it; a new key has a new one." })
})

/** A key with which links of Domain Connect are signed, as administrators see it: nobody sees the private half. */
const DomainConnectKeyDocument = Schema.Struct({
  domain: Schema.String.annotations({ description: "`syncPubKeyDomain` of the templates whose links it signs." }),
  label: Schema.String.annotations({ description: "The label below the domain at which the records are published." }),
  records: Schema.Array(Schema.String).annotations({
    description: "The values of the TXT records that publish the public key."
  })
}).annotations({ identifier: "DomainConnectKey" })

const putSigningKey = HttpApiEndpoint.put("putSigningKey", `${signingKeys}/:domain/:label`)
  .setPath(signingKeyPath)
  .addSuccess(
    Schema.Struct({ domainConnectKey: DomainConnectKeyDocument }).annotations({
      identifier: "DomainConnectKeyBody",
      description: "The key of this name, which is made if there is none."
    })
  )
  .addError(oneOf(invalidBody, applicationNotFound, commandLimited, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "putDomainConnectKey")
  .annotate(OpenApi.Summary, "Make a key of Domain Connect")
  .annotate(
    OpenApi.Description,
    "Makes a key pair unless there is one of this name. Publish the records; the newest key that is published signs, so that a rotation is a key with another label."
  )

const listSigningKeys = HttpApiEndpoint.get("listSigningKeys", signingKeys)
  .setPath(applicationPath)
  .addSuccess(
    Schema.Struct({ domainConnectKeys: Schema.Array(DomainConnectKeyDocument) }).annotations({
      identifier: "DomainConnectKeyListBody",
      description: "The keys, the newest first."
    })
  )
  .addError(oneOf(invalidRequest, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:read"))
  .annotate(OpenApi.Identifier, "listDomainConnectKeys")
  .annotate(OpenApi.Summary, "List the keys of Domain Connect")
  .annotate(OpenApi.Description, "Those that sign links for the templates of the application.")

const deleteSigningKey = HttpApiEndpoint.del("deleteSigningKey", `${signingKeys}/:domain/:label`)
  .setPath(signingKeyPath)
  .addSuccess(HttpApiSchema.NoContent.annotations({ description: "There is no key of this name any more." }))
  .addError(oneOf(invalidBody, applicationNotFound, unavailable))
  .pipe(allowAdmins("admin:write"))
  .annotate(OpenApi.Identifier, "deleteDomainConnectKey")
  .annotate(OpenApi.Summary, "Delete a key of Domain Connect")
  .annotate(OpenApi.Description, "Leave its records for some days: customers may still have links that it has signed.")

/** The API keys and ask secrets of an application, and its keys of Domain Connect, for administrators. */
export class AdminKeysApi extends HttpApiGroup.make("adminKeys")
  .add(createKey)
  .add(listKeys)
  .add(rotateKey)
  .add(revokeKey)
  .add(createSecret)
  .add(listSecrets)
  .add(rotateSecret)
  .add(revokeSecret)
  .add(putSigningKey)
  .add(listSigningKeys)
  .add(deleteSigningKey)
  .annotate(OpenApi.Title, "Administration of keys")
  .annotate(OpenApi.Description, "The API keys and ask secrets of an application, and its keys of Domain Connect.") {}
