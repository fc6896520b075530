import { Array, Effect, Redacted } from "effect"
import { DomainConnectKeyStore } from "../../../src/persistence/stores/access/DomainConnectKeyStore.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { maxSigningKeys } from "../../../src/security/DomainConnectKeys.ts"
import { AdminRequestClaim, AdminRequestStore } from "../../../src/persistence/stores/access/AdminRequestStore.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { AskSecrets } from "../../../src/administration/AskSecrets.ts"
import type { DeclaredOperation } from "../../support/documentedErrors.ts"
import { apiInMemory, issueKey, post, tenancyOf } from "../../support/testApi.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import {
  type AdminNames,
  caseOf,
  casesOf,
  type ErrorCase,
  type ErrorCases,
  operations,
  type RequestChanges,
  sendAsCaller,
  sendToApplication
} from "../support/errorCases.ts"

const once = { "idempotency-key": "once" }

/** Sends a request about a new application, which has an API key, an ask secret and a webhook endpoint. */
const toNewApplication = (changes: RequestChanges) => (operation: DeclaredOperation) =>
  Effect.flatMap(namesOfNew(operation), (names) => sendAsCaller(operation, { ...changes, names }))

const namesOfNew = ({ id }: DeclaredOperation, settings = {}) =>
  Effect.gen(function* () {
    const applicationId = `${id}-app`
    const { id: keyId, key } = yield* issueKey(tenancyOf(applicationId, "tenant"))
    const endpoint = yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/", ...settings })
    const endpointId = endpoint.headers.get("location")?.split("/").at(-1) ?? ""
    const { askSecret } = yield* (yield* AskSecrets).issue(ApplicationId.make(applicationId))
    return { applicationId, keyId, secretId: askSecret.id, endpointId } satisfies AdminNames
  })

/** The operations that administrators may repeat, with a second body; that without a body has none. */
const secondBodies: Readonly<Record<string, unknown>> = {
  createApplication: { id: "second-app" },
  createApiKey: { tenantId: "second" },
  rotateApiKey: { overlapSeconds: 1 },
  rotateAskSecret: { overlapSeconds: 1 },
  createApplicationWebhookEndpoint: { url: "https://hooks.example.org/" }
}

const idempotent = operations.forAdministrators.filter(({ parameters }) => parameters.includes("idempotency-key"))

const privateUrl = { url: "https://10.1.2.3/" }

const conflicts: ReadonlyArray<ErrorCase> = [
  caseOf("createApplication", [409, "application_exists"], (operation) =>
    Effect.zipRight(issueKey(tenancyOf("taken", "tenant")), sendAsCaller(operation, { body: { id: "taken" } }))
  ),
  ...(
    [
      ["deleteApplication", "application_not_empty"],
      ["eraseTenant", "tenant_has_live_connections"]
    ] as const
  ).map(([id, code]) =>
    caseOf(id, [409, code], (operation) =>
      Effect.gen(function* () {
        const applicationId = `${id}-live`
        const { key } = yield* issueKey(tenancyOf(applicationId, "tenant"))
        yield* createConnectionPath(key)
        return yield* sendAsCaller(operation, { names: { applicationId } })
      })
    )
  ),
  caseOf("eraseTenant", [409, "connection_count_differs"], toNewApplication({ body: { connections: 1 } })),
  caseOf("replaceApplication", [409, "settings_omitted"], (operation) =>
    Effect.gen(function* () {
      const names = yield* namesOfNew(operation)
      yield* sendAsAdmin(`/v1/admin/applications/${names.applicationId}`, { method: "PATCH", body: { name: "Shop" } })
      return yield* sendAsCaller(operation, { names })
    })
  ),
  caseOf("replaceApplicationWebhookEndpoint", [409, "settings_omitted"], (operation) =>
    Effect.flatMap(namesOfNew(operation, { description: "production" }), (names) => sendAsCaller(operation, { names }))
  ),
  ...[
    "updateApplication",
    "replaceApplication",
    "deleteApplication",
    "updateApplicationWebhookEndpoint",
    "replaceApplicationWebhookEndpoint",
    "pauseApplicationWebhookEndpoint",
    "resumeApplicationWebhookEndpoint",
    "deleteApplicationWebhookEndpoint",
    "rotateApplicationWebhookSecret"
  ].map((id) => caseOf(id, [412, "precondition_failed"], toNewApplication({ headers: { "if-match": '"0"' } }))),
  ...casesOf(
    [422, "idempotency_key_reused"],
    idempotent.filter(({ id }) => secondBodies[id] !== undefined),
    (operation) =>
      Effect.gen(function* () {
        const names = yield* namesOfNew(operation)
        yield* sendAsCaller(operation, { headers: once, names })
        return yield* sendAsCaller(operation, { headers: once, names, body: secondBodies[operation.id] })
      })
  )
]

/** The errors of the operations for administrators, and of that for web servers. */
export const adminErrorCases: ReadonlyArray<ErrorCases> = [
  {
    title: "an API with applications",
    service: apiInMemory(),
    cases: [
      ...conflicts,
      ...(
        [
          ["rotateApiKey", "api_key_not_found"],
          ["revokeApiKey", "api_key_not_found"],
          ["rotateAskSecret", "ask_secret_not_found"],
          ["revokeAskSecret", "ask_secret_not_found"]
        ] as const
      ).map(([id, code]) => caseOf(id, [404, code], (operation) => sendToApplication(operation))),
      caseOf("askForDomain", [404, "domain_not_allowed"], (operation) =>
        Effect.gen(function* () {
          const { secret } = yield* (yield* AskSecrets).issue(ApplicationId.make("asking"))
          return yield* sendAsCaller(operation, { names: { askSecret: Redacted.value(secret) } })
        })
      ),
      ...[
        "createApplicationWebhookEndpoint",
        "updateApplicationWebhookEndpoint",
        "replaceApplicationWebhookEndpoint"
      ].map((id) => caseOf(id, [400, "webhook_url_not_allowed"], toNewApplication({ body: privateUrl }))),
      caseOf("createApplicationWebhookEndpoint", [429, "quota_exceeded"], (operation) =>
        Effect.gen(function* () {
          const names = { applicationId: "full" }
          yield* issueKey(tenancyOf("full", "tenant"))
          yield* Effect.replicateEffect(sendAsCaller(operation, { names }), 3)
          return yield* sendAsCaller(operation, { names })
        })
      ),
      caseOf("sendApplicationTestEvent", [429, "quota_exceeded"], (operation) =>
        Effect.gen(function* () {
          const names = yield* namesOfNew(operation)
          yield* Effect.replicateEffect(sendAsCaller(operation, { names }), 120)
          return yield* sendAsCaller(operation, { names })
        })
      )
    ]
  },
  {
    title: "an API in which each application has as many keys of Domain Connect as it may",
    service: apiWith(
      overrideService(DomainConnectKeyStore, () => ({
        list: (applicationId) =>
          Effect.succeed(
            Array.makeBy(maxSigningKeys, (n) => ({
              applicationId,
              domain: DomainName.make("keys.platform.example"),
              label: `full${n}`,
              publicKey: ""
            }))
          )
      }))
    ),
    cases: [caseOf("putDomainConnectKey", [429, "quota_exceeded"], toNewApplication({}))]
  },
  {
    title: "an API in which the first request of an administrator is still running",
    service: apiWith(
      overrideService(AdminRequestStore, () => ({ claim: () => Effect.succeed(AdminRequestClaim.InProgress()) }))
    ),
    cases: casesOf(
      [409, "idempotency_in_progress"],
      idempotent.filter(({ id }) => id !== "createApplicationWebhookEndpoint"),
      toNewApplication({ headers: once })
    )
  }
]
