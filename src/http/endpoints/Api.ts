import { HttpApi, type HttpApiError, OpenApi } from "@effect/platform"
import type { Schema } from "effect"
import { AdminApi } from "./administration/AdminApi.ts"
import { AdminKeysApi } from "./administration/AdminKeysApi.ts"
import { AdminWebhooksApi } from "./webhooks/AdminWebhooksApi.ts"
import { AdminConnectionsApi } from "./operations/AdminConnectionsApi.ts"
import { AllowedDomainsApi } from "./allowedDomains/AllowedDomainsApi.ts"
import { AuditApi } from "./audit/AuditApi.ts"
import { ConnectionsApi } from "./connections/ConnectionsApi.ts"
import { DomainEntryApi } from "./domainEntry/DomainEntryApi.ts"
import { LifecycleApi } from "./lifecycle/LifecycleApi.ts"
import { ObservationApi, StreamEvents } from "./observation/ObservationApi.ts"
import { ProvidersApi } from "./providers/ProvidersApi.ts"
import { SharingApi } from "./sharing/SharingApi.ts"
import { TestModeApi } from "./testmode/TestModeApi.ts"
import { UsageApi } from "./usage/UsageApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"
import { completeOpenApi } from "./completeOpenApi.ts"
import { credentialSchemas } from "../contract/credentialInput.ts"
import { ErrorObject } from "../contract/defineErrorResponse.ts"
import { invalidRequest } from "../contract/operationErrors.ts"
import { webhookBodies } from "./webhooks/webhookRequests.ts"

/** The public contract: the server, the OpenAPI document and the typed client are derived from it. */
export class Api extends HttpApi.make("domain-connections")
  .add(ConnectionsApi)
  .add(LifecycleApi)
  .add(ObservationApi)
  .add(ProvidersApi)
  .add(SharingApi)
  .add(DomainEntryApi)
  .add(TestModeApi)
  .add(UsageApi)
  .add(WebhooksApi)
  .add(AllowedDomainsApi)
  .add(AdminApi)
  .add(AdminKeysApi)
  .add(AdminWebhooksApi)
  .add(AdminConnectionsApi)
  .add(AuditApi)
  .annotate(OpenApi.Title, "Domain Connection Service")
  .annotate(OpenApi.Version, "1")
  .annotate(
    OpenApi.Description,
    "Connects a customer's own domain to a platform: finds the DNS provider, reads the current records, plans which records must change and shows the plan before anything is written."
  )
  .annotate(OpenApi.License, { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" })
  .annotate(OpenApi.Servers, [{ url: "/", description: "The service that serves this document." }])
  .annotate(HttpApi.AdditionalSchemas, [ErrorObject, ...credentialSchemas, ...StreamEvents, ...webhookBodies])
  .annotate(OpenApi.Transform, completeOpenApi) {
  /** The response to a request that cannot be decoded; HttpApi has no setter for it (Effect-TS/effect#5465). */
  static override readonly errorSchema: Schema.Schema<HttpApiError.HttpApiDecodeError, unknown> =
    // oxlint-disable-next-line typescript/no-explicit-any
    invalidRequest as Schema.Schema<HttpApiError.HttpApiDecodeError, any>
}
