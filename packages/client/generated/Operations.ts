// Written by `bun run openapi` from the declaration of the API.

import { type Pages, requestPages } from "../pages.ts"
import type { CallOptions, OperationRequest } from "../requests.ts"
import type {
  AdvanceRequest,
  AllowedDomainBody,
  ApiKey,
  ApiKeyListBody,
  Application,
  ApplicationBody,
  ApplicationListBody,
  ApprovalRequest,
  AskSecret,
  AskSecretListBody,
  AuditAction,
  AuditEntry,
  AuditListBody,
  AuthorizationBody,
  BrowserToken,
  ChangeRecordsRequest,
  Connection,
  ConnectionBody,
  ConnectionInspectionBody,
  ConnectionListBody,
  ConnectionOverviewBody,
  ConnectionState,
  ConnectionSummary,
  ConnectionSummaryBody,
  ConnectionSummaryListBody,
  CreateApiKeyRequest,
  CreateApplicationRequest,
  CreateConnectionRequest,
  CreateWebhookEndpointRequest,
  CredentialAuthorizationRequest,
  DeliveryStatus,
  DomainCheck,
  DomainCheckRequest,
  DomainConnectAuthorizationRequest,
  DomainConnectKeyBody,
  DomainConnectKeyListBody,
  DomainEntryCheck,
  DomainEntryCheckRequest,
  DomainEntryRequest,
  DomainEntryTokenRequest,
  EnterRecordsRequest,
  EnteredConnection,
  EraseTenantRequest,
  FailureCode,
  IssueTokenRequest,
  ManualAuthorizationRequest,
  NewApiKeyBody,
  NewAskSecretBody,
  NewWebhookEndpointBody,
  ObservationsBody,
  PlatformBody,
  ProviderAuthorizationRequest,
  ProviderListBody,
  ProviderSelection,
  RedeemRequest,
  RedeemedLink,
  ReplaceApplicationRequest,
  ReplaceWebhookEndpointRequest,
  ReplayBody,
  ReplayRequest,
  RetryConnectionsBody,
  RetryConnectionsRequest,
  RevokedKeysBody,
  RotationRequest,
  ShareLink,
  StreamEvent,
  TenantBody,
  TenantErasureBody,
  TenantErasureCount,
  TenantListBody,
  TestZoneBody,
  TimelineBody,
  TimelineEntry,
  Timestamp,
  UpdateApplicationRequest,
  UpdateConnectionRequest,
  UpdateWebhookEndpointRequest,
  UsageBody,
  WebhookDelivery,
  WebhookDeliveryBody,
  WebhookDeliveryListBody,
  WebhookEndpointBody,
  WebhookEndpointListBody,
  WebhookSecretBody
} from "./schemas.ts"

/** A method for each operation of the API, by its `operationId`. */
export abstract class Operations {
  /** Sends a request, and reads the body of the answer. */
  protected abstract send<Body>(request: OperationRequest, options: CallOptions): Promise<Body>

  /** Sends a request, and reads the events of the answer. */
  protected abstract stream(request: OperationRequest, options: CallOptions): AsyncGenerator<StreamEvent, void>

  /** Create a domain connection. Connects a domain for the application and tenant of the API key. Answers at once in state `requested`; discovery then finds the zone, its provider and the first plan. With `prefer: wait=20` the answer waits for that plan, 20 seconds at most. */
  createConnection(
    body: CreateConnectionRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: "/v1/connections",

        body,
        credentials: ["apiKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List domain connections. The connections of the application and tenant of the API key, oldest first. */
  listConnections(
    query: {
      /** One or several, separated by commas. */
      readonly state?: ConnectionState | ReadonlyArray<ConnectionState> /** Exactly this domain, in any script. */
      readonly domain?: string /** The platform's own id; only one connection of a tenant has it until that ends. */
      readonly externalId?: string /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number /** Only what has all of these metadata: `metadata[plan]=pro&metadata[region]=eu`. */
      readonly metadata?: { readonly [name: string]: string }
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<ConnectionListBody, Connection> {
    return requestPages<ConnectionListBody, Connection>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: "/v1/connections",
            query: { ...query, cursor },

            credentials: ["apiKey"]
          },
          options
        ),
      (page) => page.connections,
      query.cursor
    )
  }

  /** Get a domain connection. A connection of another tenant or application answers 404 like a missing one. */
  getConnection(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<ConnectionBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/connections/${encodeURIComponent(connectionId)}`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** Erase a connection that has ended. Deletes the connection with everything about it, for good; the audit log keeps its entries. One that has not ended is 409 `state_conflict`: cancel or disconnect it first. A repeated request is 404. */
  eraseConnection(connectionId: string, options: Pick<CallOptions, "signal" | "ifMatch"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/connections/${encodeURIComponent(connectionId)}`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Change the intent of a connection, or what the platform attached to it. Changes the fields in the body and leaves the others.

`externalId` and `metadata` can be changed until the connection has ended. `null` removes what is there, and a map takes the place of all metadata. That makes no plan, and no webhook event reports it.

`intent` gives the connection another intent for the same domain. Before anything is in the zone, it takes the place of the old one at once. Later it waits as `pendingIntent`, and the old intent counts until the new one is applied. Its plan also removes what only the old intent required, and brings back what that had replaced. It needs an authorization and an approval like any plan; `cancel` gives it up.

409 `connection_exists`: another connection of the tenant has the new intent, or changes to it. 409 `external_id_taken`: one has the external id. */
  updateConnection(
    connectionId: string,
    body: UpdateConnectionRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "PATCH",
        path: `/v1/connections/${encodeURIComponent(connectionId)}`,

        body,
        credentials: ["apiKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Read what customers see of the platform. The name, logo and support addresses of the application of the connection. */
  getPlatform(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<PlatformBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/platform`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** Issue a browser connection token. A short-lived bearer token for this one connection and one exact browser origin. It works only together with that `Origin` header. */
  issueBrowserToken(
    connectionId: string,
    body: IssueTokenRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<BrowserToken> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/access-token`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Revoke the browser tokens of a connection. From the next request on, no browser token of this connection is valid any more. */
  revokeBrowserTokens(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/access-token`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Authorize the service for the zone, or choose to enter the records by hand. Chooses how the records get into the zone, by a `method` that `provider.availableAuthorizationMethods` of the connection lists. With `manual` the customer enters them. With `direct_credential` the service does, by a credential of the customer; with `oauth2_pkce` too, after the customer has signed in at the provider. With `domain_connect` the provider does, after a consent on its own page; `provider.domainConnect` says what it would remove, and the records are watched from the moment in which the customer comes back.

A credential is encrypted at once and deleted when it is no longer needed, and so is an OAuth token. The zone is then read at the provider and planned again. */
  authorizeConnection(
    connectionId: string,
    body:
      | ManualAuthorizationRequest
      | CredentialAuthorizationRequest
      | ProviderAuthorizationRequest
      | DomainConnectAuthorizationRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<AuthorizationBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/authorization`,

        body,
        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Say which provider runs the zone. For a connection with `provider.detection.candidates`: several providers use the name servers of its domain, and the zone does not tell whose it is. The answer of the customer leads to the ways and the guide of that provider, and the domain is planned again; another answer may follow while the connection waits for the customer. A credential proves the answer: where the provider does not have the zone, the connection fails with `authorization_zone_mismatch`. */
  selectProvider(
    connectionId: string,
    body: ProviderSelection,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/provider`,

        body,
        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Approve exactly this plan. `digest` is `plan.digest` of the connection: it names exactly the changes that the customer has seen. Serious warnings of the plan must be acknowledged by name, else 409 `acknowledgement_required` lists them. */
  approvePlan(
    connectionId: string,
    body: ApprovalRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/approval`,

        body,
        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Verify now. Queries the servers at once; for an active connection a missing record then counts without a second check. */
  recheckConnection(
    connectionId: string,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/recheck`,

        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Try again, or repair. A failed connection resumes at `failure.resumeState`; for a degraded one the domain is read and planned again. */
  retryConnection(
    connectionId: string,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/retry`,

        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Stop before anything is written. Once records may have been written, 409 `records_written`: disconnect removes them. A `pendingIntent` is given up instead, and the connection returns to the intent that counts. */
  cancelConnection(
    connectionId: string,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/cancel`,

        credentials: ["apiKey", "browserToken"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Remove the records and end the connection. Removes the records that this connection added and restores those that it replaced, where that is safe. Without a valid credential the connection waits for a new authorization, in the direction `restore`. */
  disconnectConnection(
    connectionId: string,
    options: Pick<CallOptions, "signal" | "idempotencyKey" | "ifMatch" | "waitSeconds"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/disconnect`,

        credentials: ["apiKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Read the observed records. Each desired record with what every authoritative server and every public resolver answered, and the time of the next check. */
  listRecords(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<ObservationsBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/records`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** Read the timeline of a connection. Every state that the connection entered, newest last. */
  listEvents(
    connectionId: string,
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<TimelineBody, TimelineEntry> {
    return requestPages<TimelineBody, TimelineEntry>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/connections/${encodeURIComponent(connectionId)}/events`,
            query: { ...query, cursor },

            credentials: ["apiKey", "browserToken"]
          },
          options
        ),
      (page) => page.events,
      query.cursor
    )
  }

  /** Follow a connection. Server-sent events as they happen, with a comment every 15 seconds. The end of the connection is the last event, also for a browser, whose token ends with it; afterwards 204. A browser reads the stream by `fetch`, since the token is sent in a header. */
  streamEvents(
    connectionId: string,
    options: Pick<CallOptions, "signal" | "lastEventId"> = {}
  ): AsyncGenerator<StreamEvent, void> {
    return this.stream(
      {
        method: "GET",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/stream`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** List the providers. Those that the operator declared, then those of the catalog. */
  listProviders(options: Pick<CallOptions, "signal"> = {}): Promise<ProviderListBody> {
    return this.send(
      {
        method: "GET",
        path: "/v1/providers",

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Check a domain without connecting it. Reports its provider, the capabilities of that provider, how the customer could authorize the service, whether hosts of the domain are held in this application and, if records are named, what would change. */
  checkDomain(body: DomainCheckRequest, options: Pick<CallOptions, "signal"> = {}): Promise<DomainCheck> {
    return this.send(
      {
        method: "POST",
        path: "/v1/domains/check",

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Make a link to the hosted page. Opens this one connection on a page of the service, any number of times and on any device, until the connection is active or has ended, for 30 days at most. With an API key it is a link for the customer, who may do there what a browser token allows. With a browser token it is a link for a helper, who may read the connection and have it checked: what is allowed and approved stays with the customer. */
  createShareLink(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<ShareLink> {
    return this.send(
      {
        method: "POST",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/share-link`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** Revoke the links to a connection. From the next request on, no link of the connection opens, and what links opened is closed. Other browser tokens stay valid. */
  revokeShareLinks(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/connections/${encodeURIComponent(connectionId)}/share-link`,

        credentials: ["apiKey", "browserToken"]
      },
      options
    )
  }

  /** Exchange the code of a link for a browser token. Only for the hosted page: the request must come from a page of this service, and the token is bound to its origin. */
  redeemShareLink(body: RedeemRequest, options: Pick<CallOptions, "signal"> = {}): Promise<RedeemedLink> {
    return this.send(
      {
        method: "POST",
        path: "/v1/share-links/redeem",

        body,
        credentials: []
      },
      options
    )
  }

  /** Issue a token to type a domain. A short-lived bearer token with which a customer, on pages of this exact origin, creates one connection: of the domain that they type, and of the records that the `recordTemplate` of the application gives for it. */
  issueDomainEntryToken(
    body: DomainEntryTokenRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<BrowserToken> {
    return this.send(
      {
        method: "POST",
        path: "/v1/domain-entry/access-token",

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Read what customers see of the platform before they type a domain. The name, logo and support addresses of the application of the token. */
  getPlatformOfEntry(options: Pick<CallOptions, "signal"> = {}): Promise<PlatformBody> {
    return this.send(
      {
        method: "GET",
        path: "/v1/domain-entry/platform",

        credentials: ["domainEntryToken"]
      },
      options
    )
  }

  /** Check a domain that a customer has typed. Reports who manages the domain, and whether it can be connected. Nothing is created. `suggestion` in the details of a 422 is the name that may be meant. */
  checkEnteredDomain(
    body: DomainEntryCheckRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<DomainEntryCheck> {
    return this.send(
      {
        method: "POST",
        path: "/v1/domain-entry/check",

        body,
        credentials: ["domainEntryToken"]
      },
      options
    )
  }

  /** Connect a domain that a customer has typed. Creates the one connection of the token. The same domain again gives the same connection with another browser token; another domain is 422 `idempotency_key_reused`. */
  connectEnteredDomain(
    body: DomainEntryRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<EnteredConnection> {
    return this.send(
      {
        method: "POST",
        path: "/v1/domain-entry",

        body,
        credentials: ["domainEntryToken"]
      },
      options
    )
  }

  /** Test mode: read the zone. The records of the test zone as its provider stores them now, whoever wrote them. Only with an API key of test mode; any other gets 404. */
  readTestZone(connectionId: string, options: Pick<CallOptions, "signal"> = {}): Promise<TestZoneBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/test/connections/${encodeURIComponent(connectionId)}/zone`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Test mode: enter the records of the plan. Plays the customer who enters the changes of the current plan by hand: they are in the test zone at once, and the name servers are asked again. Answers when they have been, after ten seconds at the latest. Only with an API key of test mode; any other gets 404. */
  enterTestRecords(
    connectionId: string,
    body: EnterRecordsRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/test/connections/${encodeURIComponent(connectionId)}/enter-records`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Test mode: change the zone as another client. Plays another client that changes or deletes records of the test zone, so that an active connection degrades. The name servers are asked again, and a connection that misses its records degrades at once. Answers when they have been asked, after ten seconds at the latest. Only with an API key of test mode; any other gets 404. */
  changeTestRecords(
    connectionId: string,
    body: ChangeRecordsRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/test/connections/${encodeURIComponent(connectionId)}/change-records`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Test mode: move time on. All that has happened to this connection and its test zone is as much older: checks and retries of webhooks are due earlier, and plans, credentials, browser tokens and states run out. Answers when a check that is due then has been made, after ten seconds at the latest. Only with an API key of test mode; any other gets 404. */
  advanceTestTime(
    connectionId: string,
    body: AdvanceRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/test/connections/${encodeURIComponent(connectionId)}/advance`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Read the limits and the usage. The rates and quotas of the application and tenant of the API key that requests, connections and events use up, as they were at most a second ago. */
  getUsage(options: Pick<CallOptions, "signal"> = {}): Promise<UsageBody> {
    return this.send(
      {
        method: "GET",
        path: "/v1/usage",

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Create a webhook endpoint. From now on the events of all connections of the application are posted to this URL, or those that it filters. */
  createWebhookEndpoint(
    body: CreateWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewWebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: "/v1/webhook-endpoints",

        body,
        credentials: ["apiKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List the webhook endpoints. The webhook endpoints of the application of the API key. */
  listWebhookEndpoints(
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc"
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<WebhookEndpointListBody> {
    return this.send(
      {
        method: "GET",
        path: "/v1/webhook-endpoints",
        query,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Get a webhook endpoint. Its settings, and whether it gets anything at the moment; never its secret. */
  getWebhookEndpoint(endpointId: string, options: Pick<CallOptions, "signal"> = {}): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Change settings of a webhook endpoint. Changes the settings in the body and leaves the others; `null` removes one. A new filter counts for events from now on, and what waits is sent to the new URL. */
  updateWebhookEndpoint(
    endpointId: string,
    body: UpdateWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "PATCH",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Replace the settings of a webhook endpoint. Replaces all settings; `status` stays as it is if absent. A body that leaves out another setting that is set is refused: `PATCH` removes settings. */
  replaceWebhookEndpoint(
    endpointId: string,
    body: ReplaceWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "PUT",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Delete a webhook endpoint. What waits for it is not sent any more. */
  deleteWebhookEndpoint(endpointId: string, options: Pick<CallOptions, "signal" | "ifMatch"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Pause a webhook endpoint. Its events are kept for 30 days, and sent when it is resumed. */
  pauseWebhookEndpoint(
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/pause`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Resume a webhook endpoint. What waits for it is sent, and what comes; also where the service paused it. */
  resumeWebhookEndpoint(
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/resume`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Give a webhook endpoint a new secret. For 24 hours each event has two signatures, by the new secret and by the one before. With `If-Match`, a repeated request does not rotate twice. */
  rotateWebhookSecret(
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookSecretBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/secret`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Send a test event. Sends `endpoint.test` to this endpoint alone, whatever it filters. An application may do so 120 times an hour. */
  sendTestEvent(endpointId: string, options: Pick<CallOptions, "signal"> = {}): Promise<WebhookDeliveryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/test`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** List the deliveries to a webhook endpoint. What was sent to the endpoint in the last 30 days, and how it ended; newest first. */
  listWebhookDeliveries(
    endpointId: string,
    query: {
      /** One or several, separated by commas. */
      readonly status?:
        | DeliveryStatus
        | ReadonlyArray<DeliveryStatus> /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `desc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<WebhookDeliveryListBody, WebhookDelivery> {
    return requestPages<WebhookDeliveryListBody, WebhookDelivery>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/deliveries`,
            query: { ...query, cursor },

            credentials: ["apiKey"]
          },
          options
        ),
      (page) => page.deliveries,
      query.cursor
    )
  }

  /** Send an event again. The same event with the same `webhook-id` is due at once, with all its attempts. It counts as one replay of the application in this hour. */
  replayWebhookDelivery(
    endpointId: string,
    eventId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<WebhookDeliveryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/deliveries/${encodeURIComponent(eventId)}/replay`,

        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Send the events of a time again. Those of the last 30 days from one moment on, until another, whatever became of them. Each counts as a replay of the application in this hour; nothing is sent if there would be too many. */
  replayWebhookDeliveries(
    endpointId: string,
    body: ReplayRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ReplayBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/webhook-endpoints/${encodeURIComponent(endpointId)}/replay`,

        body,
        credentials: ["apiKey"]
      },
      options
    )
  }

  /** Ask whether the application serves a host. For the on-demand TLS of a web server, such as `ask` of Caddy: 200 if an `active` connection has an A, AAAA or CNAME record at the host, or at the wildcard beside it, or goes on serving it while it changes to a new intent (`allowedNames`), else 404. Letter case, script and a trailing dot do not count. */
  askForDomain(
    askSecret: string,
    query: {
      /** The host for which a certificate is requested. */
      readonly domain: string
    },
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<AllowedDomainBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/domains/allowed/${encodeURIComponent(askSecret)}`,
        query,

        credentials: []
      },
      options
    )
  }

  /** Create an application. A product of the platform, to which API keys, tenants and connections belong. */
  createApplication(
    body: CreateApplicationRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<ApplicationBody> {
    return this.send(
      {
        method: "POST",
        path: "/v1/admin/applications",

        body,
        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List the applications. Every application: an API key of a new one creates it with default settings. `order` is that of the ids. */
  listApplications(
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<ApplicationListBody, Application> {
    return requestPages<ApplicationListBody, Application>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: "/v1/admin/applications",
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.applications,
      query.cursor
    )
  }

  /** Get an application. Its settings. */
  getApplication(applicationId: string, options: Pick<CallOptions, "signal"> = {}): Promise<ApplicationBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Change settings of an application. Changes the settings in the body and leaves the others; `null` removes one, or brings its default back. */
  updateApplication(
    applicationId: string,
    body: UpdateApplicationRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<ApplicationBody> {
    return this.send(
      {
        method: "PATCH",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}`,

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Replace the settings of an application. Replaces all settings. A body that leaves out a setting that is set is refused: `PATCH` removes settings. */
  replaceApplication(
    applicationId: string,
    body: ReplaceApplicationRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<ApplicationBody> {
    return this.send(
      {
        method: "PUT",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}`,

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Delete an application. One without live connections. Its API keys are revoked, and its ended connections, tenants, webhook endpoints and secrets are erased; the audit log stays. A request erases 1,000 connections at most, and says in a 409 that others are left, or that `connection.erased` is still being delivered: send it again. */
  deleteApplication(applicationId: string, options: Pick<CallOptions, "signal" | "ifMatch"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** List the tenants of an application. The tenants that have an API key or a connection; `createdAt` is when the first of these was created. */
  listTenants(
    applicationId: string,
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<
    TenantListBody,
    {
      /** The id of a tenant of the application. */
      readonly id: string
      readonly createdAt: Timestamp
    }
  > {
    return requestPages<
      TenantListBody,
      {
        /** The id of a tenant of the application. */
        readonly id: string
        readonly createdAt: Timestamp
      }
    >(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/tenants`,
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.tenants,
      query.cursor
    )
  }

  /** Read the usage of a tenant. What `GET /v1/usage` answers to the tenant. One that nobody has named yet has used nothing. */
  getTenant(applicationId: string, tenantId: string, options: Pick<CallOptions, "signal"> = {}): Promise<TenantBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/tenants/${encodeURIComponent(tenantId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Revoke all API keys of a tenant. At once and for good, with the browser tokens that were issued with them. */
  revokeTenantKeys(
    applicationId: string,
    tenantId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<RevokedKeysBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/tenants/${encodeURIComponent(tenantId)}/revoke-keys`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Count what an erasure of a tenant would erase. Changes nothing. */
  countTenantErasure(
    applicationId: string,
    tenantId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<TenantErasureCount> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/tenants/${encodeURIComponent(tenantId)}/erasure`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Erase a tenant. Revokes the API keys of the tenant, erases up to 1,000 of its connections and, once none is left, everything else that it has; the audit log stays. A live connection is 409 `tenant_has_live_connections`, another number 409 `connection_count_differs`. */
  eraseTenant(
    applicationId: string,
    tenantId: string,
    body: EraseTenantRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<TenantErasureBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/tenants/${encodeURIComponent(tenantId)}/erasure`,

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Create an API key. For a tenant of the application, which needs no creation of its own. An admin key of test mode makes keys of test mode. */
  createApiKey(
    applicationId: string,
    body: CreateApiKeyRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewApiKeyBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/api-keys`,

        body,
        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List the API keys of an application. Without their secrets, which nobody can read any more. */
  listApiKeys(
    applicationId: string,
    query: {
      /** Only the keys of this tenant. */
      readonly tenantId?: string /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<ApiKeyListBody, ApiKey> {
    return requestPages<ApiKeyListBody, ApiKey>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/api-keys`,
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.apiKeys,
      query.cursor
    )
  }

  /** Rotate an API key. Creates a successor with the same tenant, scopes and name; the old key expires later. */
  rotateApiKey(
    applicationId: string,
    keyId: string,
    body: RotationRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewApiKeyBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/api-keys/${encodeURIComponent(keyId)}/rotate`,

        body,
        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Revoke an API key. At once and for good, with the browser tokens that were issued with it. */
  revokeApiKey(applicationId: string, keyId: string, options: Pick<CallOptions, "signal"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/api-keys/${encodeURIComponent(keyId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Create an ask secret. With it a web server asks which hosts the application serves, without an API key. */
  createAskSecret(
    applicationId: string,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewAskSecretBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/ask-secrets`,

        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List the ask secrets of an application. The valid ones, by the part that may be shown. */
  listAskSecrets(
    applicationId: string,
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<AskSecretListBody, AskSecret> {
    return requestPages<AskSecretListBody, AskSecret>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/ask-secrets`,
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.askSecrets,
      query.cursor
    )
  }

  /** Rotate an ask secret. Creates a successor; the old secret expires later. */
  rotateAskSecret(
    applicationId: string,
    secretId: string,
    body: RotationRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewAskSecretBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/ask-secrets/${encodeURIComponent(secretId)}/rotate`,

        body,
        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** Revoke an ask secret. At once and for good. */
  revokeAskSecret(applicationId: string, secretId: string, options: Pick<CallOptions, "signal"> = {}): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/ask-secrets/${encodeURIComponent(secretId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Make a key of Domain Connect. Makes a key pair unless there is one of this name. Publish the records; the newest key that is published signs, so that a rotation is a key with another label. */
  putDomainConnectKey(
    applicationId: string,
    domain: string,
    label: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<DomainConnectKeyBody> {
    return this.send(
      {
        method: "PUT",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/domain-connect-keys/${encodeURIComponent(domain)}/${encodeURIComponent(label)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Delete a key of Domain Connect. Leave its records for some days: customers may still have links that it has signed. */
  deleteDomainConnectKey(
    applicationId: string,
    domain: string,
    label: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/domain-connect-keys/${encodeURIComponent(domain)}/${encodeURIComponent(label)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** List the keys of Domain Connect. Those that sign links for the templates of the application. */
  listDomainConnectKeys(
    applicationId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<DomainConnectKeyListBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/domain-connect-keys`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Create a webhook endpoint of an application. The same as `POST /v1/webhook-endpoints` by an API key of the application. */
  createApplicationWebhookEndpoint(
    applicationId: string,
    body: CreateWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "idempotencyKey"> = {}
  ): Promise<NewWebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints`,

        body,
        credentials: ["adminKey"],
        takesIdempotencyKey: true
      },
      options
    )
  }

  /** List the webhook endpoints of an application. The same as `GET /v1/webhook-endpoints` by an API key of the application. */
  listApplicationWebhookEndpoints(
    applicationId: string,
    query: {
      /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `asc`. */
      readonly order?: "asc" | "desc"
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<WebhookEndpointListBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints`,
        query,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Get a webhook endpoint of an application. The same as `GET /v1/webhook-endpoints/{endpointId}` by an API key of the application. */
  getApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Change settings of a webhook endpoint of an application. The same as `PATCH /v1/webhook-endpoints/{endpointId}` by an API key of the application. */
  updateApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    body: UpdateWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "PATCH",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Replace the settings of a webhook endpoint of an application. The same as `PUT /v1/webhook-endpoints/{endpointId}` by an API key of the application. */
  replaceApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    body: ReplaceWebhookEndpointRequest,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "PUT",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Delete a webhook endpoint of an application. What waits for it is not sent any more. */
  deleteApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<void> {
    return this.send(
      {
        method: "DELETE",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Pause a webhook endpoint of an application. The same as `POST /v1/webhook-endpoints/{endpointId}/pause` by an API key of the application. */
  pauseApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}/pause`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Resume a webhook endpoint of an application. The same as `POST /v1/webhook-endpoints/{endpointId}/resume` by an API key of the application. */
  resumeApplicationWebhookEndpoint(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookEndpointBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}/resume`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Give a webhook endpoint of an application a new secret. The same as `POST /v1/webhook-endpoints/{endpointId}/secret` by an API key of the application. */
  rotateApplicationWebhookSecret(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal" | "ifMatch"> = {}
  ): Promise<WebhookSecretBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}/secret`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Send a test event to a webhook endpoint of an application. Sends `endpoint.test` to this endpoint alone, whatever it filters, at most 120 times an hour for the application. */
  sendApplicationTestEvent(
    applicationId: string,
    endpointId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<WebhookDeliveryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/webhook-endpoints/${encodeURIComponent(endpointId)}/test`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Find connections of all tenants. The newest first. With `stuckSeconds` those that have waited longest for a process, or that are tried again and again without getting further. */
  listConnectionsOfAllTenants(
    query: {
      /** One or several, separated by commas. */
      readonly state?: ConnectionState | ReadonlyArray<ConnectionState> /**  */
      readonly failure?: FailureCode /** The id of a provider. */
      readonly provider?: string /** The application that the API key belongs to. */
      readonly applicationId?: string /** The id of a tenant of the application. */
      readonly tenantId?: string /** The domain, or one below it. */
      readonly domain?: string /** Only connections whose phase has been due for as long without a process that works on it. The longest come first, on one page. */
      readonly stuckSeconds?: number /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `desc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<ConnectionSummaryListBody, ConnectionSummary> {
    return requestPages<ConnectionSummaryListBody, ConnectionSummary>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: "/v1/admin/connections",
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.connections,
      query.cursor
    )
  }

  /** Inspect a connection. What it waits for and who can end that, its timeline, what each server answered, changes at the provider, webhook events, and until when there is a credential. */
  inspectConnection(
    connectionId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionInspectionBody> {
    return this.send(
      {
        method: "GET",
        path: `/v1/admin/connections/${encodeURIComponent(connectionId)}`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Read how all connections stand. Connections by state, failures by provider, what waits, and webhook endpoints that fail. */
  readOverview(options: Pick<CallOptions, "signal"> = {}): Promise<ConnectionOverviewBody> {
    return this.send(
      {
        method: "GET",
        path: "/v1/admin/overview",

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Retry a connection of any tenant. The same as `POST /v1/connections/{connectionId}/retry` by its platform. */
  retryConnectionAsOperator(
    connectionId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionSummaryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/connections/${encodeURIComponent(connectionId)}/retry`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Check a connection of any tenant now. The same as `POST /v1/connections/{connectionId}/recheck` by its platform. */
  recheckConnectionAsOperator(
    connectionId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionSummaryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/connections/${encodeURIComponent(connectionId)}/recheck`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Cancel a connection of any tenant. The same as `POST /v1/connections/{connectionId}/cancel` by its platform. */
  cancelConnectionAsOperator(
    connectionId: string,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<ConnectionSummaryBody> {
    return this.send(
      {
        method: "POST",
        path: `/v1/admin/connections/${encodeURIComponent(connectionId)}/cancel`,

        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Retry many connections. Failed and degraded connections that fit, the oldest first, of all tenants. Without `failure`, only those that a retry can help. A dry run asks no quota: a retry may still be refused. */
  retryConnections(
    body: RetryConnectionsRequest,
    options: Pick<CallOptions, "signal"> = {}
  ): Promise<RetryConnectionsBody> {
    return this.send(
      {
        method: "POST",
        path: "/v1/admin/connections/retry",

        body,
        credentials: ["adminKey"]
      },
      options
    )
  }

  /** Read the audit log. Who did what in the application of the API key, newest first, of all its tenants. A page may have fewer entries than `limit`, or none, although others follow: a request reads 10,000 entries at most, and `nextCursor` continues. */
  listAuditEntries(
    query: {
      /** The id of a tenant of the application. */
      readonly tenantId?: string /** Assigned by the service; ids sort by time. */
      readonly connectionId?: string /** The id of an actor, such as that of an API key. */
      readonly actor?: string /**  */
      readonly action?: AuditAction /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `desc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number /** @deprecated The earlier name of `createdAfter`. */
      readonly after?: string /** @deprecated The earlier name of `createdBefore`. */
      readonly before?: string
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<AuditListBody, AuditEntry> {
    return requestPages<AuditListBody, AuditEntry>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: "/v1/audit",
            query: { ...query, cursor },

            credentials: ["apiKey"]
          },
          options
        ),
      (page) => page.entries,
      query.cursor
    )
  }

  /** Read the audit log of an application. The same as `GET /v1/audit` by an API key of the application; also of one that is deleted. */
  listApplicationAuditEntries(
    applicationId: string,
    query: {
      /** The id of a tenant of the application. */
      readonly tenantId?: string /** Assigned by the service; ids sort by time. */
      readonly connectionId?: string /** The id of an actor, such as that of an API key. */
      readonly actor?: string /**  */
      readonly action?: AuditAction /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `desc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number /** @deprecated The earlier name of `createdAfter`. */
      readonly after?: string /** @deprecated The earlier name of `createdBefore`. */
      readonly before?: string
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<AuditListBody, AuditEntry> {
    return requestPages<AuditListBody, AuditEntry>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: `/v1/admin/applications/${encodeURIComponent(applicationId)}/audit`,
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.entries,
      query.cursor
    )
  }

  /** Read the audit log of the admin keys. Who created and revoked admin keys, which belong to no application, newest first. */
  listAdminAuditEntries(
    query: {
      /** The id of an actor, such as that of an API key. */
      readonly actor?: string /**  */
      readonly action?: AuditAction /** Only what was created at this moment or later (ISO 8601). */
      readonly createdAfter?: string /** Only what was created before this moment (ISO 8601). */
      readonly createdBefore?: string /** The oldest first, or the newest; without it `desc`. */
      readonly order?: "asc" | "desc" /** The `nextCursor` of the previous page; without it the first page. */
      readonly cursor?: string /** The size of a page. */
      readonly limit?: number /** @deprecated The earlier name of `createdAfter`. */
      readonly after?: string /** @deprecated The earlier name of `createdBefore`. */
      readonly before?: string
    } = {},
    options: Pick<CallOptions, "signal"> = {}
  ): Pages<AuditListBody, AuditEntry> {
    return requestPages<AuditListBody, AuditEntry>(
      (cursor) =>
        this.send(
          {
            method: "GET",
            path: "/v1/admin/audit",
            query: { ...query, cursor },

            credentials: ["adminKey"]
          },
          options
        ),
      (page) => page.entries,
      query.cursor
    )
  }
}
