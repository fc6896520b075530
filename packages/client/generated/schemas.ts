// Written by `bun run openapi` from the declaration of the API.

/** The code of an error, a stable word; treat one that is not listed by its status. */
export type ErrorCode =
  | "invalid_request"
  | "malformed_json"
  | "origin_not_canonical"
  | "return_url_not_allowed"
  | "webhook_url_not_allowed"
  | "unauthenticated"
  | "api_key_in_browser"
  | "origin_not_allowed"
  | "insufficient_scope"
  | "not_found"
  | "webhook_endpoint_not_found"
  | "webhook_delivery_not_found"
  | "application_not_found"
  | "api_key_not_found"
  | "ask_secret_not_found"
  | "domain_not_allowed"
  | "route_not_found"
  | "method_not_allowed"
  | "body_too_slow"
  | "idempotency_in_progress"
  | "connection_exists"
  | "external_id_taken"
  | "connection_ended"
  | "state_conflict"
  | "failure_not_retryable"
  | "records_written"
  | "plan_digest_mismatch"
  | "plan_expired"
  | "acknowledgement_required"
  | "application_exists"
  | "application_not_empty"
  | "tenant_has_live_connections"
  | "connection_count_differs"
  | "settings_omitted"
  | "precondition_failed"
  | "body_too_large"
  | "unsupported_media_type"
  | "unprocessable"
  | "idempotency_key_reused"
  | "authorization_method_unavailable"
  | "credential_kind_mismatch"
  | "approval_unavailable"
  | "provider_not_selectable"
  | "not_left_over"
  | "rate_limited"
  | "too_many_streams"
  | "quota_exceeded"
  | "too_many_open_discoveries"
  | "internal_error"
  | "unavailable"
  | "draining"
  | "overloaded"
  | "busy"

export interface ErrorDetail {
  /** A JSON pointer (RFC 6901) into the body, or `/` and the name of a header or parameter. */
  readonly pointer: string
  readonly code: string
  /** What is wrong there, for people. */
  readonly message: string
  /** A value that would be accepted at the pointer, or the name of a field, that may have been meant. */
  readonly suggestion?: string
  /** The pointer of the other record, where two records of the request exclude each other. */
  readonly conflictsWith?: string
}

/** A command on a connection. */
export type ConnectionAction = "authorization" | "approval" | "recheck" | "retry" | "cancel" | "disconnect" | "update"

export interface ApiTokenCredential {
  readonly kind: "api_token"
  /** An API token that may change the records of the zone. */
  readonly apiToken: string
}

export interface ApiKeySecretCredential {
  readonly kind: "api_key_secret"
  /** The public half of a key. */
  readonly apiKey: string
  /** Its secret half. */
  readonly apiSecret: string
}

export interface UsernameApiKeyCredential {
  readonly kind: "username_api_key"
  /** The name of the account, or its id where the provider takes that. */
  readonly username: string
  /** An API key of the account. */
  readonly apiKey: string
}

export interface AccessKeySecretCredential {
  readonly kind: "access_key_secret"
  /** The id of an access key. */
  readonly accessKeyId: string
  /** Its secret. */
  readonly secretAccessKey: string
}

export interface AwsRoleCredential {
  readonly kind: "aws_role"
  /** The ARN of a role that `authorizationInputs.roleTrust` may assume, with the id of the connection as external id. */
  readonly roleArn: string
}

export interface ServiceAccountCredential {
  readonly kind: "service_account"
  /** The text of a Google service account's key file. */
  readonly json: string
}

export interface ServicePrincipalCredential {
  readonly kind: "service_principal"
  /** The id of the directory (tenant) of Microsoft Entra in which the application is registered. */
  readonly tenantId: string
  /** The id of the application (client). */
  readonly clientId: string
  /** The value of a secret of the application, not the id of the secret. */
  readonly clientSecret: string
  /** The id of the Azure subscription that has the zone. */
  readonly subscriptionId: string
  /** The name of the resource group that has the zone. */
  readonly resourceGroup: string
}

export interface TsigKeyCredential {
  readonly kind: "tsig_key"
  /** The name of the key, such as `key.example.com`. */
  readonly name: string
  readonly algorithm: "hmac-sha256" | "hmac-sha384" | "hmac-sha512"
  /** The key in Base64. */
  readonly secret: string
}

/** The connection has entered a state. */
export interface TimelineEvent {
  readonly event: "timeline"
  readonly data: TimelineEntry
}

export interface TimelineEntry {
  readonly id: string
  readonly from?: ConnectionState
  readonly to: ConnectionState
  readonly failure?: FailureCode
  readonly replan?: ReplanCode
  readonly occurredAt: Timestamp
}

/** How far a connection is; the lifecycle explains the states. */
export type ConnectionState =
  | "requested"
  | "awaiting_authorization"
  | "authorizing"
  | "authorized"
  | "planned"
  | "applying"
  | "awaiting_manual"
  | "verifying"
  | "active"
  | "degraded"
  | "failed"
  | "disconnecting"
  | "expired"
  | "canceled"
  | "disconnected"

/** Why a connection has stopped, or its domain cannot be connected. */
export type FailureCode =
  | "domain_not_registered"
  | "caa_host_is_cname"
  | "cname_loop"
  | "domain_has_no_nameservers"
  | "zone_not_found"
  | "discovery_timeout"
  | "provider_unavailable"
  | "provider_rate_limited"
  | "authorization_denied"
  | "authorization_expired"
  | "authorization_revoked"
  | "authorization_insufficient_scope"
  | "authorization_zone_mismatch"
  | "credential_invalid"
  | "account_not_entitled"
  | "provider_snapshot_timeout"
  | "provider_snapshot_failed"
  | "zone_too_large"
  | "provider_zone_locked"
  | "provider_record_locked"
  | "apex_cname_unsupported"
  | "record_type_unsupported"
  | "record_value_rejected"
  | "spf_merge_impossible"
  | "host_delegated_elsewhere"
  | "plan_too_large"
  | "apply_timeout"
  | "apply_rejected"
  | "apply_partial"
  | "verification_timeout"
  | "verification_mismatch"
  | "manual_setup_timeout"
  | "control_unproven"
  | "control_lost"
  | "internal_error"

export type ReplanCode = "zone_changed" | "plan_expired"

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string

/** The observed records have changed since the last event of this kind. */
export interface RecordsEvent {
  readonly event: "records"
  readonly data: ObservationsBody
}

/** What the servers answer. `toRemove` lists existing records that must be removed, without the addresses of a proxy, absent if unknown; `failure` is why the zone could not be found. */
export interface ObservationsBody {
  readonly records: ReadonlyArray<RecordObservation>
  readonly toRemove?: ReadonlyArray<ChangeRecord>
  readonly failure?: FailureCode
  readonly lastCheckedAt?: Timestamp
  readonly nextCheckAt?: Timestamp
  /** How to make the changes by hand, one guide for each provider; absent where nothing is to be done. */
  readonly guides?: ReadonlyArray<ManualGuide>
}

export interface RecordObservation {
  readonly expected: Record
  readonly observed: ReadonlyArray<ServerObservation>
  readonly status: ObservationStatus
  readonly diagnosis?: Diagnosis
  readonly checkedAt?: Timestamp
}

export interface Record {
  readonly host: string
  readonly type: RecordType
  readonly value: string
  readonly ttl: Ttl
  readonly priority?: Priority
  readonly optional: boolean
  /** Present, and true, where the provider answers with addresses of its own and forwards the traffic (a proxy). */
  readonly proxied?: boolean
  /** The full name of the host, in A-labels. */
  readonly name: string
  /** The full name in Unicode, where that differs. */
  readonly unicodeName?: string
  /** The host relative to the zone, as the DNS settings of a provider take it: `@` of `shop.example.org` is `shop` there. Absent while the zone is unknown. */
  readonly zoneHost?: string
}

export type RecordType =
  | "A"
  | "AAAA"
  | "CNAME"
  | "MX"
  | "TXT"
  | "NS"
  | "SRV"
  | "CAA"
  | "HTTPS"
  | "SVCB"
  | "DS"
  | "NAPTR"
  | "SSHFP"
  | "TLSA"

/** Time to live in seconds (RFC 2181 section 8). */
export type Ttl = number

/** Preference of an MX record or priority of an SRV record. */
export type Priority = number

export interface ServerObservation {
  /** A name server by its host name, a resolver by its address. */
  readonly server: string
  readonly kind: "authoritative" | "public"
  readonly status: ObservationStatus
  readonly silence?: NoAnswerReason
  readonly reason?: ObservationReason
  /** What stands in the place of the record, at most sixteen: its set, or what excludes it. A value of more than 1,024 characters is cut, and so are shorter ones where all of them take more than 1 MiB; it ends in `…` then. */
  readonly seen: ReadonlyArray<ObservedRecord>
}

/** `different`: something else stands in its place. `unknown`: there was no answer. Servers together show a record as `present` if each of them that answered does. */
export type ObservationStatus = "present" | "missing" | "different" | "unknown"

/** Why there was no answer. */
export type NoAnswerReason =
  | "address_not_reachable"
  | "no_route"
  | "busy"
  | "timed_out"
  | "malformed"
  | "truncated"
  | "format_error"
  | "server_failure"
  | "refused"
  | "lame"
  | "budget_spent"

/** `cname_flattened`: the provider answers with the addresses of the target in place of the CNAME, or with nothing while the target has none. That counts as `present`, except for DKIM keys and other policies behind a CNAME, which are not served then. `proxied`: the provider answers with addresses of its own (a proxy). That counts as `present` where the provider's API showed the record, so that `expected` is `proxied`; else the customer has to turn the proxy off. */
export type ObservationReason = "cname_flattened" | "proxied"

export interface ObservedRecord {
  readonly type: string
  readonly value: string
  readonly ttl: Ttl
  readonly priority?: Priority
}

export interface Diagnosis {
  readonly code: DiagnosisCode
  /** The records that show it, at most four; none where nothing was found. */
  readonly seen: ReadonlyArray<SeenRecord>
  /** What the customer should enter instead, exactly as the field takes it; empty for a field that stays empty, absent where several fields change. */
  readonly copy?: string
  /** The field that takes `copy`, by its name in a guide. */
  readonly field?: "type" | "host" | "value" | "priority" | "weight" | "port" | "target"
  /** How many authoritative servers show the record, of how many that were asked. */
  readonly servers?: {
    readonly showing: Int
    readonly asked: Int
  }
  /** A sentence for people: what was seen and what to do. */
  readonly fix: string
}

export type DiagnosisCode =
  | "not_yet"
  | "on_its_way"
  | "old_value_remains"
  | "also_there"
  | "doubled_zone"
  | "target_doubled"
  | "quoted"
  | "escaped"
  | "wrong_host"
  | "wrong_type"
  | "two_spf"
  | "two_dmarc"
  | "truncated"
  | "proxied"
  | "flattened"
  | "only_some_servers"
  | "other_zone"
  | "parking"
  | "blocked_by_caa"

export interface SeenRecord {
  /** The full name of the host, in A-labels. */
  readonly name: string
  readonly type: string
  /** As it was read, a TXT without the quotes around its strings, and a priority in front; a long value is cut and ends in `…`. */
  readonly value: string
}

export type Int = number

export interface ChangeRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly ttl: Ttl
  readonly priority?: Priority
  readonly optional: boolean
  /** Present, and true, where the provider answers with addresses of its own and forwards the traffic (a proxy). */
  readonly proxied?: boolean
  /** Present, and true, where the provider answers with the addresses of the target in place of the CNAME, by a setting of the record. */
  readonly flattened?: boolean
  /** Present, and true, where the provider itself chooses the TTL again, as before the connection. */
  readonly automaticTtl?: boolean
  /** Time to live in seconds (RFC 2181 section 8). */
  readonly disabledTtl?: number
  /** The full name of the host, in A-labels. */
  readonly name: string
  /** The full name in Unicode, where that differs. */
  readonly unicodeName?: string
  /** The host relative to the zone, as the DNS settings of a provider take it: `@` of `shop.example.org` is `shop` there. Absent while the zone is unknown. */
  readonly zoneHost?: string
}

export interface ManualGuide {
  readonly provider?: {
    readonly id: string
    readonly name: string
  }
  /** Those of the domain that are this provider's; none where they are not known yet. */
  readonly nameServers: ReadonlyArray<string>
  /** The page with the records; of this very domain where the provider has an address for that. */
  readonly dnsPageUrl?: string
  readonly loginUrl?: string
  /** The provider's own page about records. */
  readonly helpUrl?: string
  /** The menu entries that lead to the records, in order. */
  readonly path?: ReadonlyArray<string>
  readonly addButton?: string
  /** The last button of the page, without which nothing that was saved counts. */
  readonly publishButton?: string
  /** How long the provider says that it takes at most until its servers answer with a change. */
  readonly servedWithinMinutes?: number
  readonly hints: ReadonlyArray<{
    readonly code: GuideHint
    readonly message: string
  }>
  /** In an order in which they are safe to do. */
  readonly tasks: ReadonlyArray<ManualTask>
}

export type GuideHint =
  | "create_subdomain_first"
  | "delete_parking_records"
  | "turn_proxy_off"
  | "dns_only"
  | "save_and_publish"
  | "confirm_checkbox"
  | "second_factor"
  | "choose_custom_mail"
  | "apex_alias"
  | "apex_addresses"
  | "apex_redirect"
  | "find_who_runs_name_servers"

export interface ManualTask {
  readonly action: "add" | "change" | "remove"
  readonly record: ChangeRecord
  /** The records that this one replaces: the customer changes or deletes them first. */
  readonly removes: ReadonlyArray<ChangeRecord>
  /** In the order of the provider's page. */
  readonly fields: ReadonlyArray<ManualField>
  readonly hints: ReadonlyArray<{
    readonly code: GuideHint
    readonly message: string
  }>
  /** Whether every server of the provider shows it by the last check, and nothing that it removes. Where several providers serve the zone and nobody can tell at which one a removed record remains, it is `false` until the record is gone everywhere. */
  readonly isDone: boolean
}

export interface ManualField {
  readonly field: "type" | "host" | "value" | "priority" | "ttl" | "service" | "protocol" | "weight" | "port" | "target"
  /** The label as the provider's page shows it; absent where it is unknown. */
  readonly label?: string
  /** What the field takes; an empty text: leave the field empty. */
  readonly value: string
  /** `true` where the page has a list to choose it from, and takes no text. */
  readonly isChoice?: boolean
  /** The other form, where it is unknown which one the field takes. */
  readonly alternative?: string
}

/** The connection as it now is. */
export interface ConnectionEvent {
  readonly event: "connection"
  /** The `Last-Event-ID` with which the stream continues here. */
  readonly id: string
  readonly data: Connection
}

export interface Connection {
  /** Assigned by the service; ids sort by time. */
  readonly id: string
  /** The application that the API key belongs to. */
  readonly applicationId: string
  /** The id of a tenant of the application. */
  readonly tenantId: string
  readonly intent: Intent
  readonly effectiveIntent: EffectiveIntent
  readonly pendingIntent?: PendingIntent
  readonly state: ConnectionState
  /** `restore` after `disconnect`: every plan from then on removes the records of the connection and restores the zone. */
  readonly direction?: "connect" | "restore"
  readonly provider?: Provider
  readonly control?: Control
  /** The full names, in A-labels, of the hosts that a connection that was `active` goes on serving while it changes to a new intent: those of an A, AAAA or CNAME record, which `GET /v1/domains/allowed` still allows. Absent without such a host, and while the connection is `active`, where all of its hosts are allowed. */
  readonly allowedNames?: ReadonlyArray<string>
  readonly plan?: Plan
  readonly failure?: Failure
  readonly delay?: Delay
  readonly replan?: Replan
  /** Optional records that were left out of the plan, each as `<TYPE> <host> <failure code>`. */
  readonly optionalFailures: ReadonlyArray<string>
  /** Records that a disconnect, or a change of the intent, could not remove or restore, and why. */
  readonly leftovers?: ReadonlyArray<Leftover>
  /** The commands that this caller may call now, `POST /v1/connections/{id}/<action>`; `update` is `PATCH /v1/connections/{id}`. Absent in connections written by an earlier version, until their first change. */
  readonly allowedActions?: ReadonlyArray<ConnectionAction>
  readonly nextCheckAt?: Timestamp
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
  /** The platform's own id; only one connection of a tenant has it until that ends. */
  readonly externalId?: string
  /** The platform's own texts, which the service stores and shows, also to the browsers of the connection, and nothing else. */
  readonly metadata?: { readonly [name: string]: string }
  /** The same optional records, explained. */
  readonly optionalFailureDetails: ReadonlyArray<OptionalFailureDetail>
}

export interface Intent {
  readonly domain: string
  readonly records: ReadonlyArray<IntentRecord>
  readonly existingRecordPolicy: {
    readonly validateDmarc: boolean
    readonly validateCAA: boolean
  }
}

export interface IntentRecord {
  readonly host: string
  readonly type: RecordType
  readonly value: string
  readonly ttl: Ttl
  readonly priority?: Priority
  readonly optional: boolean
  readonly advancedDmarcOptions?: AdvancedDmarcOptions
  /** The addresses to write instead, of a CNAME at `@`, where the zone begins at the domain and its provider cannot flatten a CNAME there. */
  readonly alternatives?: ReadonlyArray<AlternativeRecord>
}

export interface AdvancedDmarcOptions {
  /** Whether a host below the domain without a record begins with that of the domain. */
  readonly inheritRootDmarc?: FalseByDefault
  /** Tags that take the place of existing ones. */
  readonly overrideTags?: { readonly [name: string]: string }
  /** The names of tags to remove. */
  readonly removeTags?: ReadonlyArray<string>
  /** Tags to add where there are none of these names. */
  readonly addTagsIfNotExist?: { readonly [name: string]: string }
}

/** A choice that is off if it is left out. Default: `false`. */
export type FalseByDefault = boolean

export interface AlternativeRecord {
  readonly type: "A" | "AAAA"
  /** The logical value, at most 4096 bytes of UTF-8. */
  readonly value: string
}

export interface EffectiveIntent {
  readonly domain: string
  readonly records: ReadonlyArray<Record>
}

/** A new intent, while it waits for its plan to be applied: `plan` leads to it, and `intent` counts until then. `cancel` gives it up. */
export interface PendingIntent {
  readonly intent: Intent
  readonly effectiveIntent: EffectiveIntent
  readonly optionalFailures: ReadonlyArray<string>
  /** The same optional records, explained. */
  readonly optionalFailureDetails: ReadonlyArray<OptionalFailureDetail>
}

export interface OptionalFailureDetail {
  readonly type: RecordType
  readonly host: string
  /** The full name of the host, in A-labels. */
  readonly name: string
  /** The full name in Unicode, where that differs. */
  readonly unicodeName?: string
  /** The host relative to the zone, as the DNS settings of a provider take it: `@` of `shop.example.org` is `shop` there. Absent while the zone is unknown. */
  readonly zoneHost?: string
  readonly code: FailureCode
  /** A sentence for people. */
  readonly message: string
}

export interface Provider {
  /** A stable word; `unknown` if the provider was not recognized. */
  readonly id: string
  readonly name: string
  readonly referenceUrl?: string
  /** Whether the service writes, sends the customer to the provider, or shows what to do by hand. */
  readonly implementation: "automatic" | "redirect" | "manual"
  /** The best first; `manual` is always there. */
  readonly availableAuthorizationMethods: ReadonlyArray<AuthorizationMethod>
  readonly authorizationInputs: {
    readonly directCredential: CredentialKind
    readonly providerSession: CredentialKind
    /** With `aws_role`: the ARN that the trust policy of the customer's role names as its principal. The policy also requires the id of the connection as external id (`sts:ExternalId`): the service takes no role that others could have it assume. */
    readonly roleTrust?: string
  }
  readonly capabilities: Capabilities
  readonly detection: {
    /** What told the provider: the names of the name servers, its own answer (Domain Connect), the SOA record of the zone, or the customer. */
    readonly method: "nameserver" | "domain_connect" | "soa" | "manual_selection" | "none"
    /** The name servers of the domain, at most 16; absent in the list of providers. */
    readonly nameServers?: ReadonlyArray<string>
    /** Present where the name servers belong to several providers, this one first: every change has to be made at each of them. */
    readonly providers?: ReadonlyArray<{
      readonly id: string
      readonly name: string
    }>
    /** Present where several providers use these name servers, and nothing tells them apart: ask the customer, and name the answer with `POST /v1/connections/{connectionId}/provider`. With the method `manual_selection` the customer has answered. */
    readonly candidates?: ReadonlyArray<{
      readonly id: string
      readonly name: string
    }>
  }
  /** How the recent calls of its API went: in the list of providers, and on a connection if its circuit was open. */
  readonly health?: {
    /** How long a call counts as recent. */
    readonly windowSeconds: number
    /** The recent calls, at most 1,000. */
    readonly calls: number
    /** The share of them that failed, from 0 to 1: no answer, or an error of the provider's own (5xx). */
    readonly errorRate: number
    /** How long half of the answers took at most. */
    readonly medianMillis?: number
    /** How long 95 % of the answers took at most. */
    readonly slowMillis?: number
    /** `open` while the last call of at least three connections, and of half of all that called, failed: other ways than the provider's API come first. */
    readonly circuit: "closed" | "open"
  }
  /** Only in the list of providers, for those of the catalog. */
  readonly listing?: {
    /** The share of all websites in per cent, by the survey of W3Techs of September 2026, which counts the brands of a company together. */
    readonly websitePercent?: number
    /** Whether it takes part in Domain Connect: a connection offers that where it has your template. */
    readonly domainConnect: boolean
    /** Whether the guide for entering by hand has its own words. */
    readonly hasGuide: boolean
    /** The page on which its customers edit records; `%domain%` stands for the zone. */
    readonly dnsPageUrl?: string
    /** The type that this page takes for an alias at the apex; `none`: addresses only. */
    readonly apexType?: "CNAME" | "ALIAS" | "none"
    /** What proves the writes without an account (`docs/provider-evidence.md`); empty without an adapter. */
    readonly provenBy: ReadonlyArray<"document" | "recording" | "judge" | "trap">
  }
  /** What to know about this provider, in words. */
  readonly limitations: ReadonlyArray<string>
  /** Present with `domain_connect`: what the provider would write, and what it would remove. */
  readonly domainConnect?: {
    /** Of the template: the service provider. */
    readonly providerId: string
    /** Of the template: the service. */
    readonly serviceId: string
    /** What the DNS provider calls itself. */
    readonly displayName: string
    /** Where the pages of the DNS provider begin. */
    readonly syncUrl: string
    /** The zone in which the template is applied. */
    readonly zone: string
    /** The labels in front of it; empty for the zone itself. */
    readonly host: string
    /** The values with which the template gives exactly the records of the intent. */
    readonly variables: { readonly [name: string]: string }
    /** Recognizes the template: once the application has another one of these ids, the offer leads nowhere. */
    readonly templateDigest?: string
    /** The groups of the template that are applied. */
    readonly groups: ReadonlyArray<string>
    /** What the DNS provider writes besides the changes of the plan: the challenge, which proves control. */
    readonly adds?: ReadonlyArray<ReplacedRecord>
    /** The present records that the DNS provider would remove, by the rules of Domain Connect, as far as the name servers show them. */
    readonly removes: ReadonlyArray<ReplacedRecord>
    /** The other present records that were read, at most 100, which the DNS provider should leave as they are. */
    readonly keeps?: ReadonlyArray<ReplacedRecord>
    /** Those of `keeps` that the name servers no longer showed once the records of the intent were there. Only the customer can enter them again. */
    readonly alsoRemoved?: ReadonlyArray<ReplacedRecord>
  }
}

/** How the service gets access to a zone: `manual` is none, the customer enters the records. */
export type AuthorizationMethod = "oauth2_pkce" | "direct_credential" | "domain_connect" | "manual"

/** The kind of credential that a provider takes; `none` if it takes none. */
export type CredentialKind =
  | "api_token"
  | "api_key_secret"
  | "username_api_key"
  | "access_key_secret"
  | "aws_role"
  | "service_account"
  | "service_principal"
  | "tsig_key"
  | "none"

export interface Capabilities {
  readonly rootNSModification: Capability
  readonly subdomainNSModification: Capability
  readonly wwwRedirect: Capability
  readonly cnameFlattening: Capability
  readonly wildcardRecords: Capability
  readonly caaRecords: Capability
  readonly spfRecords: Capability
  readonly socialLogin: Capability
}

/** Whether a provider supports something; `manual` only in its own user interface. */
export type Capability = "supported" | "unsupported" | "manual" | "not_applicable" | "unknown"

export interface ReplacedRecord {
  /** The host, relative to the domain. */
  readonly host: string
  readonly type: string
  readonly value: string
  readonly priority?: Int
}

/** Whether control is proven of every host of `intent`, and how. `challenge` is present where it must be entered before the connection becomes `active`, or before its new intent counts. Absent until the first plan, and in connections written by an earlier version. */
export interface Control {
  readonly status: "proven" | "unproven"
  readonly by?: ControlMethod
  readonly challenge?: ControlChallenge
}

/** `credential`: the service wrote at these hosts, or the challenge, with a credential of the zone. `entered_records`: the records were entered by hand, at hosts where no name server answered anything before. `challenge`: the zone shows the challenge. */
export type ControlMethod = "credential" | "entered_records" | "challenge"

/** The TXT record that proves control once every name server shows it. It may be removed afterwards. */
export interface ControlChallenge {
  readonly type: "TXT"
  /** The host, relative to the domain. */
  readonly host: string
  /** The full name of the host. */
  readonly name: string
  readonly value: string
}

export interface Plan {
  /** SHA-256 over the RFC 8785 form of domain, zone and changes: the same changes have the same digest. */
  readonly digest: string
  /** The name of the zone that is changed: the domain, or what it is a subdomain of. The hosts of `changes` are relative to the domain; DNS settings take them relative to the zone. Absent in plans written by an earlier version. */
  readonly zone?: string
  readonly basis: PlanBasis
  /** In an order in which they are safe to apply. */
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<Warning>
  /** The same warnings, explained. */
  readonly warningDetails: ReadonlyArray<WarningDetail>
  /** Where mail to the domain arrives before the changes: the targets of its MX records, the preferred ones first. Absent where there is none. */
  readonly mailServers?: ReadonlyArray<string>
  readonly expiresAt: Timestamp
}

/** Where the records that the plan starts from were read. */
export type PlanBasis = "public_dns" | "provider"

export interface Change {
  readonly action: ChangeAction
  readonly before?: ChangeRecord
  readonly after?: ChangeRecord
  /** Whether something that is served today stops being served. */
  readonly destructive: boolean
}

/** `before` of a change is absent on create, `after` on delete. */
export type ChangeAction = "create" | "update" | "delete"

/** What to know before the approval of a plan; `warningDetails` explains it. */
export type Warning =
  | "name_servers_disagree"
  | "spf_record_merged"
  | "spf_existing_sufficient"
  | "spf_policy_replaced"
  | "spf_duplicates_collapsed"
  | "spf_lookup_limit_exceeded"
  | "spf_lookup_unknown"
  | "spf_include_broken"
  | "spf_existing_invalid_replaced"
  | "spf_excludes_existing_mail"
  | "spf_allows_all"
  | "dmarc_existing_preserved"
  | "dmarc_existing_invalid_replaced"
  | "dmarc_policy_weakened"
  | "dmarc_policy_strengthened"
  | "dmarc_inherited_from_root"
  | "dmarc_duplicates_collapsed"
  | "dmarc_tag_deprecated"
  | "dkim_key_replaced"
  | "dkim_key_removed"
  | "caa_blocks_issuance"
  | "caa_set_created"
  | "caa_existing_sufficient"
  | "caa_not_needed"
  | "caa_lookup_unknown"
  | "cname_replaces_records"
  | "cname_removed"
  | "address_records_replaced"
  | "website_replaced"
  | "mx_replaced"
  | "mail_records_removed"
  | "mail_target_changed"
  | "mx_target_unusable"
  | "null_mx_sender"
  | "tls_policy_mismatch"
  | "service_record_replaced"
  | "ns_target_changed"
  | "ns_delegation_hides_records"
  | "delegation_replaced"
  | "apex_cname_flattened"
  | "record_not_served"
  | "wildcard_hidden"
  | "proxied_record_present"
  | "ttl_adjusted"
  | "txt_value_split"
  | "record_repeated"
  | "optional_record_skipped"
  | "host_repeats_domain"
  | "dnssec_signed_zone"
  | "multi_provider_ns"
  | "ns_parent_child_mismatch"
  | "other_connection_affected"
  | "control_not_proven"
  | "plan_large_deletion"
  | "provider_zone_differs_from_public_dns"
  | "lookup_unknown"

export interface WarningDetail {
  readonly code: Warning
  readonly severity: WarningSeverity
  /** Whether `acknowledge` of an approval must name it. */
  readonly requiresAcknowledgement: boolean
  /** A sentence for people. */
  readonly message: string
  /** The changes that it is about, by their places in `changes`; none if it is about the whole. */
  readonly changes: ReadonlyArray<number>
  /** Sentences about this very plan; the message has them too. */
  readonly findings?: ReadonlyArray<string>
}

/** `serious`: mail, a website or much of a zone may stop. `caution`: the customer may have to act. `info`: good to know. */
export type WarningSeverity = "info" | "caution" | "serious"

export interface Failure {
  readonly code: FailureCode
  /** Whether trying again can help. */
  readonly retryable: boolean
  readonly resumeState?: ConnectionState
  /** What was asked and answered, where that is known, and how each change of a plan stands that was not written completely; at most 20 of it. */
  readonly details?: ReadonlyArray<FailureDetail>
  readonly occurredAt: Timestamp
  /** A sentence for people. */
  readonly message: string
}

export interface FailureDetail {
  /** A sentence for people. */
  readonly message: string
  /** Who was asked: a name server or resolver, or the provider. */
  readonly server?: string
  /** The host, relative to the domain. */
  readonly host?: string
  readonly type?: string
  /** The value that should be there. */
  readonly expected?: string
  /** What it answered, or why it did not. */
  readonly answer?: string
  readonly outcome?: ChangeOutcome
}

/** What has become of a change of a plan that was not written completely: `made`, `not_made`, `undone`, `unknown` where the provider did not say, or `lost` where it was made in vain and could not be undone. */
export type ChangeOutcome = "lost" | "unknown" | "not_made" | "undone" | "made"

/** Why the service cannot go on for now, and since when, in any state in which it is at work. It tries again by itself; absent once it succeeds. */
export interface Delay {
  readonly code: DelayCode
  readonly since: Timestamp
  /** A sentence for people: the reason, and what happens next. */
  readonly message: string
}

export type DelayCode = "resolver_unavailable"

/** Why the connection is planned again, and since when: in `authorized`, and in `planned` until the new plan is approved or given up. */
export interface Replan {
  readonly code: ReplanCode
  readonly since: Timestamp
  /** A sentence for people: the reason, and what happens next. */
  readonly message: string
}

export interface Leftover {
  readonly record: ChangeRecord
  readonly reason:
    | "changed_since"
    | "wanted_by_another_connection"
    | "older_than_thirty_days"
    | "target_does_not_resolve"
    | "provider_cannot_store"
    | "zone_gone"
    | "manual_setup_timeout"
}

/** The connection exists, and discovery begins. */
export interface ConnectionCreatedWebhook {
  readonly type: "connection.created"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The connection as it was answered to a key with all scopes at that moment, and the state that it left; that is absent in `connection.created`. */
export interface ConnectionWebhookData {
  readonly connection: Connection
  /** The version of the connection, which its ETag has too. Events may arrive out of order: ignore one with a lower version than the last. */
  readonly version: number
  readonly formerState?: ConnectionState
}

/** A plan waits for the customer: to authorize, to enter records by hand, or to approve it; also that of a new intent, a repair or a removal. */
export interface ConnectionPlannedWebhook {
  readonly type: "connection.planned"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The customer has not finished entering records by hand, and asked for no check for a day; `data.missing` says what is wrong. Once for each setup. */
export interface ConnectionSetupIncompleteWebhook {
  readonly type: "connection.setup_incomplete"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: DegradedWebhookData
}

/** The connection, the state that it left, and which of its records are missing. */
export interface DegradedWebhookData {
  readonly connection: Connection
  /** The version of the connection, which its ETag has too. Events may arrive out of order: ignore one with a lower version than the last. */
  readonly version: number
  readonly formerState?: ConnectionState
  /** The records that are missing, at most 10 of them; absent where hosts were lost, where a new intent was given up and the last check found the records, and while one is entered by hand. */
  readonly missing?: ReadonlyArray<MissingRecord>
}

export interface MissingRecord {
  /** The host, relative to the domain. */
  readonly host: string
  readonly type: string
  /** The value that should be there. */
  readonly expected: string
  /** What servers show in its place, as `<TYPE> <value>`; none where they show nothing. */
  readonly seen: ReadonlyArray<string>
  readonly diagnosis?: DiagnosisCode
  /** A sentence for people: what was seen and what to do. */
  readonly fix?: string
}

/** The service has a credential for the zone. */
export interface ConnectionAuthorizedWebhook {
  readonly type: "connection.authorized"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The records are in the zone, or were there already, and the service checks every server. */
export interface ConnectionAppliedWebhook {
  readonly type: "connection.applied"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** Every server shows the records. */
export interface ConnectionActiveWebhook {
  readonly type: "connection.active"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** Records of an active connection are missing, which `data.missing` names, or another customer has taken its hosts, as `connection.failure` says. */
export interface ConnectionDegradedWebhook {
  readonly type: "connection.degraded"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: DegradedWebhookData
}

/** The connection is active again without a new plan: its records are back, or a new intent was given up. */
export interface ConnectionRestoredWebhook {
  readonly type: "connection.restored"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The connection stopped; `connection.failure` says why. */
export interface ConnectionFailedWebhook {
  readonly type: "connection.failed"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The zone is restored; `leftovers` names what is not. */
export interface ConnectionDisconnectedWebhook {
  readonly type: "connection.disconnected"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** The connection was canceled before anything was written. */
export interface ConnectionCanceledWebhook {
  readonly type: "connection.canceled"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** Nobody authorized it, approved it or entered the records in time. */
export interface ConnectionExpiredWebhook {
  readonly type: "connection.expired"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ConnectionWebhookData
}

/** Another tenant asks for hosts of this connection, which stays as it is; at most once a day for each tenant ([control](control.md)). */
export interface ConnectionContestedWebhook {
  readonly type: "connection.contested"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ContestedWebhookData
}

/** The connection whose hosts another tenant asks for, without its other fields. */
export interface ContestedWebhookData {
  readonly connection: {
    /** Assigned by the service; ids sort by time. */
    readonly id: string
    /** The application that the API key belongs to. */
    readonly applicationId: string
    /** The id of a tenant of the application. */
    readonly tenantId: string
    readonly state: ConnectionState
  }
  /** The version of the connection, which its ETag has too. Events may arrive out of order: ignore one with a lower version than the last. */
  readonly version: number
}

/** The connection had ended, and everything about it is deleted here; `data.connection` has its `id` alone. Delete your copies. */
export interface ConnectionErasedWebhook {
  readonly type: "connection.erased"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: ErasedWebhookData
}

/** The connection that was erased, of which nothing is left but its id. */
export interface ErasedWebhookData {
  readonly connection: {
    /** Assigned by the service; ids sort by time. */
    readonly id: string
  }
  /** The version of the connection, which its ETag has too. Events may arrive out of order: ignore one with a lower version than the last. */
  readonly version: number
}

/** Another endpoint of the application gets nothing any more; `data.endpoint` has `id`, `url`, `pauseReason`. Every endpoint gets it, whatever its `eventTypes`. */
export interface EndpointPausedWebhook {
  readonly type: "endpoint.paused"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: {
    readonly endpoint: {
      /** Assigned by the service. */
      readonly id: string
      readonly url: string
      readonly pauseReason: PauseReason
    }
  }
}

/** `requested` by a key or on the command line, `gone` after an answer 410, or `failing` after five days without a successful attempt. */
export type PauseReason = "requested" | "gone" | "failing"

/** You asked for it. */
export interface EndpointTestWebhook {
  readonly type: "endpoint.test"
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly data: {
    readonly endpoint: {
      /** Assigned by the service. */
      readonly id: string
      readonly url: string
    }
  }
}

export interface CreateConnectionRequest {
  readonly intent: IntentRequest
  /** The platform's own id; only one connection of a tenant has it until that ends. */
  readonly externalId?: string
  /** The platform's own texts, which the service stores and shows, also to the browsers of the connection, and nothing else. */
  readonly metadata?: { readonly [name: string]: string }
  /** Whether the tenant may have another connection with this domain and these records. */
  readonly allowDuplicate?: FalseByDefault
}

export interface IntentRequest {
  /** The domain to connect, an apex or a subdomain, in any script. */
  readonly domain: string
  readonly records: ReadonlyArray<IntentRecordRequest>
  readonly existingRecordPolicy?: ExistingRecordPolicyRequest
}

export interface IntentRecordRequest {
  /** Relative to the domain (`@`, `www`, `*.app`), or absolute and inside it. */
  readonly host: string
  readonly type: RecordType
  /** The logical value, at most 4096 bytes of UTF-8. */
  readonly value: string
  readonly ttl?: RequestedTtl
  /** Only of MX and SRV records, which have 10 if it is absent, the null MX 0. */
  readonly priority?: RequestedPriority
  /** Whether the rest may go on without this record. */
  readonly optional?: FalseByDefault
  readonly advancedDmarcOptions?: AdvancedDmarcOptions
  /** The addresses to write instead, of a CNAME at `@`, where the zone begins at the domain and its provider cannot flatten a CNAME there. */
  readonly alternatives?: ReadonlyArray<AlternativeRecord>
}

/** Time to live in seconds (RFC 2181 section 8). Default: `3600`. */
export type RequestedTtl = number

/** Preference of an MX record or priority of an SRV record. Default: `10`. */
export type RequestedPriority = number

/** How existing records count that say the same as desired ones. */
export interface ExistingRecordPolicyRequest {
  /** Whether a valid DMARC policy stays as it is; otherwise the desired one replaces it. */
  readonly validateDmarc?: TrueByDefault
  /** Whether a desired CAA record is left out where the existing ones allow its issuer already; otherwise it is added. */
  readonly validateCAA?: TrueByDefault
}

/** A choice that is on if it is left out. Default: `true`. */
export type TrueByDefault = boolean

/** The connection. */
export interface ConnectionBody {
  readonly connection: Connection
}

/** The connections. */
export interface ConnectionListBody {
  readonly connections: ReadonlyArray<Connection>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** What customers see of the platform; a setting without a value is absent. */
export interface PlatformBody {
  readonly platform: PlatformProfile
}

export interface PlatformProfile {
  /** What customers call the platform. */
  readonly name?: string
  readonly logoUrl?: string
  /** Where customers of the platform find help. */
  readonly supportEmail?: string
  readonly supportUrl?: string
}

export interface IssueTokenRequest {
  /** The origin exactly as a browser sends it, for example `https://shop.example.com`. */
  readonly origin: string
}

/** The token. */
export interface BrowserToken {
  /** The bearer token, shown only once. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  readonly expiresAt: Timestamp
}

/** The customer enters the records by hand. */
export interface ManualAuthorizationRequest {
  readonly method: "manual"
}

/** The service enters the records with a credential of the customer. */
export interface CredentialAuthorizationRequest {
  readonly method: "direct_credential"
  readonly credential: CredentialInput
  /** Approves the plan in advance: the one made from the provider's zone, if it has this digest. */
  readonly approvedDigest?: string
  /** The serious warnings of the plan that the approver has read. */
  readonly acknowledge?: ReadonlyArray<Warning>
}

/** A credential of the kind that the provider's `authorizationInputs.directCredential` names. One without `kind` is accepted too, as clients sent it before there was this field: the provider tells it. */
export type CredentialInput =
  | ApiTokenCredential
  | ApiKeySecretCredential
  | UsernameApiKeyCredential
  | AccessKeySecretCredential
  | AwsRoleCredential
  | ServiceAccountCredential
  | ServicePrincipalCredential
  | TsigKeyCredential

/** The customer authorizes the service at the provider (OAuth 2.0 with PKCE). */
export interface ProviderAuthorizationRequest {
  readonly method: "oauth2_pkce"
  /** The URL to which the customer returns, with `connection` and `result` added: for a browser token a page of its origin, for an API key any https page; with `returnOrigins` of the application, a page of these for both. */
  readonly returnUrl?: string
  /** Approves the plan in advance: the one made from the provider's zone, if it has this digest. */
  readonly approvedDigest?: string
  /** The serious warnings of the plan that the approver has read. */
  readonly acknowledge?: ReadonlyArray<Warning>
}

/** The customer lets the provider write the records, on a page of the provider (Domain Connect). */
export interface DomainConnectAuthorizationRequest {
  readonly method: "domain_connect"
  /** The URL to which the customer returns, with `connection` and `result` added: for a browser token a page of its origin, for an API key any https page; with `returnOrigins` of the application, a page of these for both. */
  readonly returnUrl?: string
  /** Always refused: the provider writes the records, after a consent on its own page. */
  readonly approvedDigest?: string
}

/** The connection and, for OAuth and Domain Connect, the next URL. */
export interface AuthorizationBody {
  readonly connection: Connection
  /** Only with `oauth2_pkce` and `domain_connect`: the URL that the customer's browser opens next, by a link or a redirect. Valid for 15 minutes. */
  readonly authorizeUrl?: string
}

export interface ProviderSelection {
  /** The `id` of one of `provider.detection.candidates`, or `unknown` for any other provider. */
  readonly provider: string
}

export interface ApprovalRequest {
  /** SHA-256 over the RFC 8785 form of domain, zone and changes: the same changes have the same digest. */
  readonly digest: string
  /** The serious warnings of the plan that the approver has read. */
  readonly acknowledge?: ReadonlyArray<Warning>
  /** Those of the connection's `leftovers` that the restore shall put back nevertheless: a new plan is made, which needs its own approval. */
  readonly putBack?: ReadonlyArray<RecordReference>
}

export interface RecordReference {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly priority?: Priority
}

export interface UpdateConnectionRequest {
  readonly intent?: IntentRequest
  readonly externalId?: string | null
  readonly metadata?: { readonly [name: string]: string } | null
  /** Whether the tenant may have another connection with this domain and these records. */
  readonly allowDuplicate?: FalseByDefault
}

/** The timeline. */
export interface TimelineBody {
  readonly events: ReadonlyArray<TimelineEntry>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** Every provider that the service recognizes. */
export interface ProviderListBody {
  readonly providers: ReadonlyArray<Provider>
}

export interface DomainCheckRequest {
  /** The domain to connect, an apex or a subdomain, in any script. */
  readonly domain: string
  readonly records?: ReadonlyArray<IntentRecordRequest>
  readonly existingRecordPolicy?: ExistingRecordPolicyRequest
}

/** What was found. */
export interface DomainCheck {
  readonly domain: string
  readonly heldBy: HostHolding
  readonly provider?: Provider
  readonly plan?: {
    /** SHA-256 over the RFC 8785 form of domain, zone and changes: the same changes have the same digest. */
    readonly digest: string
    /** The name of the zone that is changed: the domain, or what it is a subdomain of. The hosts of `changes` are relative to the domain; DNS settings take them relative to the zone. Absent in plans written by an earlier version. */
    readonly zone?: string
    readonly basis: PlanBasis
    /** In an order in which they are safe to apply. */
    readonly changes: ReadonlyArray<Change>
    readonly warnings: ReadonlyArray<Warning>
    /** The same warnings, explained. */
    readonly warningDetails: ReadonlyArray<WarningDetail>
    /** Where mail to the domain arrives before the changes: the targets of its MX records, the preferred ones first. Absent where there is none. */
    readonly mailServers?: ReadonlyArray<string>
  }
  readonly optionalFailures: ReadonlyArray<string>
  /** The same optional records, explained. */
  readonly optionalFailureDetails: ReadonlyArray<OptionalFailureDetail>
  readonly failure?: {
    readonly code: FailureCode
    readonly retryable: boolean
    /** A sentence for people. */
    readonly message: string
    /** What was asked and answered, where that is known, and how each change of a plan stands that was not written completely; at most 20 of it. */
    readonly details?: ReadonlyArray<FailureDetail>
  }
}

/** Whether hosts of the domain are held in this application: by the tenant of the caller, by another one, or by nobody. */
export type HostHolding = "this_tenant" | "another_tenant" | "nobody"

/** The link. */
export interface ShareLink {
  /** The path of the link on this service, such as `/connect#dcs_…`. Shown only once. */
  readonly path: string
  readonly expiresAt: Timestamp
}

export interface RedeemRequest {
  readonly code: string
}

/** The token. */
export interface RedeemedLink {
  /** Assigned by the service; ids sort by time. */
  readonly connectionId: string
  /** Whose session it is: the customer's, or that of a helper. */
  readonly role: "customer" | "helper"
  /** The bearer token, shown only once. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  readonly expiresAt: Timestamp
}

export interface DomainEntryTokenRequest {
  /** The origin exactly as a browser sends it, for example `https://shop.example.com`. */
  readonly origin: string
  /** The platform's own id; only one connection of a tenant has it until that ends. */
  readonly externalId?: string
}

export interface DomainEntryCheckRequest {
  /** What the customer typed: a domain or a name in it, in any script. */
  readonly domain: string
}

/** What was found. */
export interface DomainEntryCheck {
  /** The full name that would be connected, in A-labels. */
  readonly name: string
  /** The registrable domain that the name is in. */
  readonly domain: string
  /** The name relative to the domain; `@` is the domain itself. */
  readonly host: string
  readonly provider?: {
    readonly id: string
    readonly name: string
  }
  /** Why it cannot be connected now. */
  readonly failure?: {
    readonly code: FailureCode
    /** A sentence for people. */
    readonly message: string
  }
}

export interface DomainEntryRequest {
  /** What the customer typed: a domain or a name in it, in any script. */
  readonly domain: string
}

/** The connection, and a browser token for it. */
export interface EnteredConnection {
  /** Assigned by the service; ids sort by time. */
  readonly connectionId: string
  /** The bearer token, shown only once. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  readonly expiresAt: Timestamp
}

/** The zone, with the records of every name and type. */
export interface TestZoneBody {
  /** The name of the zone. */
  readonly zone: string
  readonly records: ReadonlyArray<TestZoneRecordSet>
}

export interface TestZoneRecordSet {
  /** The full name of the host. */
  readonly name: string
  readonly type: string
  /** Time to live in seconds. */
  readonly ttl: number
  /** In the form that `change-records` takes. */
  readonly values: ReadonlyArray<string>
}

export interface EnterRecordsRequest {
  /** Enters only the changes at these hosts; without it, all of them. */
  readonly hosts?: ReadonlyArray<string>
}

export interface ChangeRecordsRequest {
  readonly records: ReadonlyArray<ForeignRecordSet>
}

export interface ForeignRecordSet {
  /** Relative to the domain, `@` for the domain itself, or its full name. */
  readonly host: string
  readonly type: RecordType
  /** All values of this host and type, as in a zone file (`10 mail.example.com` for an MX), a text without quotes; none removes them. */
  readonly values: ReadonlyArray<string>
}

export interface AdvanceRequest {
  /** How far to move the time of this connection on; a year at most. */
  readonly seconds: number
}

/** The rates and quotas, and what is used of them. */
export interface UsageBody {
  readonly rates: {
    readonly server: RateUsage
    readonly browser: UsageLimit
    readonly testEvents: HourlyRateUsage
    readonly replays: HourlyRateUsage
  }
  readonly quotas: {
    readonly connections: QuotaUsage
    readonly connectionsPerDomain: UsageLimit
    readonly openDiscoveries: QuotaUsage
    readonly storageBytes: QuotaUsage
    readonly idempotencyBytes: QuotaUsage
    readonly streams: StreamUsage
    readonly streamsPerConnection: UsageLimit
  }
}

/** Requests of the current minute, as the process that answers has counted them. */
export interface RateUsage {
  /** The most that is allowed; absent if nothing limits it. */
  readonly limit?: number
  /** What the application and tenant have used. */
  readonly used: number
  readonly resetsAt: Timestamp
}

/** A limit that each connection, or each registered domain, has for itself. */
export interface UsageLimit {
  /** The most that is allowed; absent if nothing limits it. */
  readonly limit?: number
}

/** What the application has asked for in the hour that began with the first, in all processes. */
export interface HourlyRateUsage {
  /** The most that is allowed; absent if nothing limits it. */
  readonly limit?: number
  /** What all tenants of the application have used. */
  readonly used: number
  readonly resetsAt: Timestamp
}

export interface QuotaUsage {
  /** The most that is allowed; absent if nothing limits it. */
  readonly limit?: number
  /** What the application and tenant have used. */
  readonly used: number
}

/** Event streams and requests that wait for a plan, as they are open in the process that answers. */
export interface StreamUsage {
  /** The most that is allowed; absent if nothing limits it. */
  readonly limit?: number
  /** What the application and tenant have used. */
  readonly used: number
}

export interface CreateWebhookEndpointRequest {
  /** Where the events are posted to: an `https` URL with a public address. */
  readonly url: string
  readonly description?: string
  /** Only these events, and `endpoint.paused`; all of them if absent. */
  readonly eventTypes?: ReadonlyArray<WebhookEventType>
  /** Only connections of these tenants; those of all tenants of the application if absent, and of none if empty. A tenant that is erased is taken out. */
  readonly tenantIds?: ReadonlyArray<string>
}

export type WebhookEventType =
  | "connection.created"
  | "connection.planned"
  | "connection.setup_incomplete"
  | "connection.authorized"
  | "connection.applied"
  | "connection.active"
  | "connection.degraded"
  | "connection.restored"
  | "connection.failed"
  | "connection.disconnected"
  | "connection.canceled"
  | "connection.expired"
  | "connection.contested"
  | "connection.erased"
  | "endpoint.paused"
  | "endpoint.test"

/** The webhook endpoint and its secret. */
export interface NewWebhookEndpointBody {
  readonly endpoint: WebhookEndpoint
  /** The receiver verifies the signatures with it (Standard Webhooks). Shown only once. */
  readonly secret: string
}

export interface WebhookEndpoint {
  /** Assigned by the service. */
  readonly id: string
  /** Where the events are posted to: an `https` URL with a public address. */
  readonly url: string
  readonly description?: string
  /** Only these events, and `endpoint.paused`; all of them if absent. */
  readonly eventTypes?: ReadonlyArray<WebhookEventType>
  /** Only connections of these tenants; those of all tenants of the application if absent, and of none if empty. A tenant that is erased is taken out. */
  readonly tenantIds?: ReadonlyArray<string>
  readonly status: EndpointStatus
  readonly pauseReason?: PauseReason
  readonly failingSince?: Timestamp
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Whether an endpoint gets its events. */
export type EndpointStatus = "enabled" | "paused"

/** All webhook endpoints, oldest first. */
export interface WebhookEndpointListBody {
  readonly endpoints: ReadonlyArray<WebhookEndpoint>
}

/** The webhook endpoint. */
export interface WebhookEndpointBody {
  readonly endpoint: WebhookEndpoint
}

export interface UpdateWebhookEndpointRequest {
  /** Where the events are posted to: an `https` URL with a public address. */
  readonly url?: string
  readonly description?: string | null
  readonly eventTypes?: ReadonlyArray<WebhookEventType> | null
  readonly tenantIds?: ReadonlyArray<string> | null
  readonly status?: EndpointStatus
}

export interface ReplaceWebhookEndpointRequest {
  /** Where the events are posted to: an `https` URL with a public address. */
  readonly url: string
  readonly description?: string
  /** Only these events, and `endpoint.paused`; all of them if absent. */
  readonly eventTypes?: ReadonlyArray<WebhookEventType>
  /** Only connections of these tenants; those of all tenants of the application if absent, and of none if empty. A tenant that is erased is taken out. */
  readonly tenantIds?: ReadonlyArray<string>
  readonly status?: EndpointStatus
}

/** The webhook endpoint and its secret. */
export interface WebhookSecretBody {
  readonly endpoint: WebhookEndpoint
  /** The receiver verifies the signatures with it (Standard Webhooks). Shown only once. */
  readonly secret: string
}

/** The delivery, which is due now. */
export interface WebhookDeliveryBody {
  readonly delivery: WebhookDelivery
}

export interface WebhookDelivery {
  /** Assigned by the service. */
  readonly eventId: string
  readonly type: WebhookEventType
  /** The id of a tenant of the application. */
  readonly tenantId?: string
  /** Assigned by the service; ids sort by time. */
  readonly connectionId?: string
  readonly status: DeliveryStatus
  /** How many attempts there were. */
  readonly attempts: number
  readonly nextAttemptAt?: Timestamp
  readonly lastAttempt?: {
    readonly at: Timestamp
    /** The HTTP status of the answer. */
    readonly status?: number
    readonly error?: AttemptError
    /** How long the attempt took, in milliseconds. */
    readonly millis: number
  }
  readonly createdAt: Timestamp
}

/** `pending` until an attempt succeeds, or the last one has failed. */
export type DeliveryStatus = "pending" | "delivered" | "failed"

/** The answer was no 2xx (`status`) or a redirect, which is not followed; none came in time; there was no connection; the host has an address that is not public; or the service cannot read the secret. */
export type AttemptError =
  | "status"
  | "redirect"
  | "timeout"
  | "connection"
  | "address_not_allowed"
  | "secret_unreadable"

/** The deliveries of the last 30 days. */
export interface WebhookDeliveryListBody {
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

export interface ReplayRequest {
  /** ISO 8601 in UTC with milliseconds. */
  readonly from: string
  /** ISO 8601 in UTC with milliseconds. */
  readonly to?: string
  readonly status?: DeliveryStatus
  /** The `nextCursor` of the previous page; without it the first page. */
  readonly cursor?: string
}

/** The number of deliveries, at most 1000; repeat with the cursor for the others. */
export interface ReplayBody {
  /** How many deliveries are due again. */
  readonly replayed: number
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** The application serves this host. */
export interface AllowedDomainBody {
  readonly allowed: true
}

export interface CreateApplicationRequest {
  /** What the platform calls it: 1 to 100 letters, digits, dots, hyphens or underscores, the first a letter or digit. */
  readonly id: string
  /** What customers call the platform. */
  readonly name?: string
  readonly logoUrl?: string
  /** Where customers of the platform find help. */
  readonly supportEmail?: string
  readonly supportUrl?: string
  /** The origins to which customers may return from their provider; without it those of the platform's servers may name any https page, and those of a browser only its own origin. */
  readonly returnOrigins?: ReadonlyArray<string>
  readonly controlProof?: ControlProof
  /** The templates of Domain Connect that DNS providers have of the platform, each the text of its file in the template repository. An intent takes the first that gives exactly its records. */
  readonly domainConnectTemplates?: ReadonlyArray<string>
  readonly recordTemplate?: ReadonlyArray<IntentRecordRequest>
}

/** Whether a connection needs proof that its requester controls the domain before it becomes `active`: always (`required`), always by a credential or the challenge (`challenge`), only where another tenant of the application holds a host of the domain (`when_contested`), or never (`off`). Default: `"required"`. */
export type ControlProof = "required" | "challenge" | "when_contested" | "off"

/** The application. */
export interface ApplicationBody {
  readonly application: Application
}

export interface Application {
  /** The application that the API key belongs to. */
  readonly id: string
  /** What customers call the platform. */
  readonly name?: string
  readonly logoUrl?: string
  /** Where customers of the platform find help. */
  readonly supportEmail?: string
  readonly supportUrl?: string
  /** The origins to which customers may return from their provider; without it those of the platform's servers may name any https page, and those of a browser only its own origin. */
  readonly returnOrigins?: ReadonlyArray<string>
  readonly controlProof: ControlProof
  /** The templates of Domain Connect that DNS providers have of the platform, each the text of its file in the template repository. An intent takes the first that gives exactly its records. */
  readonly domainConnectTemplates?: ReadonlyArray<string>
  readonly recordTemplate?: ReadonlyArray<IntentRecordRequest>
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The applications in the order of their ids. */
export interface ApplicationListBody {
  readonly applications: ReadonlyArray<Application>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

export interface UpdateApplicationRequest {
  readonly name?: string | null
  readonly logoUrl?: string | null
  readonly supportEmail?: string | null
  readonly supportUrl?: string | null
  readonly returnOrigins?: ReadonlyArray<string> | null
  readonly controlProof?: ControlProof | null
  readonly domainConnectTemplates?: ReadonlyArray<string> | null
  readonly recordTemplate?: ReadonlyArray<IntentRecordRequest> | null
}

export interface ReplaceApplicationRequest {
  /** What customers call the platform. */
  readonly name?: string
  readonly logoUrl?: string
  /** Where customers of the platform find help. */
  readonly supportEmail?: string
  readonly supportUrl?: string
  /** The origins to which customers may return from their provider; without it those of the platform's servers may name any https page, and those of a browser only its own origin. */
  readonly returnOrigins?: ReadonlyArray<string>
  readonly controlProof?: ControlProof
  /** The templates of Domain Connect that DNS providers have of the platform, each the text of its file in the template repository. An intent takes the first that gives exactly its records. */
  readonly domainConnectTemplates?: ReadonlyArray<string>
  readonly recordTemplate?: ReadonlyArray<IntentRecordRequest>
}

/** The tenants in the order of their ids. */
export interface TenantListBody {
  readonly tenants: ReadonlyArray<{
    /** The id of a tenant of the application. */
    readonly id: string
    readonly createdAt: Timestamp
  }>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** The tenant, and what it uses of its rates and quotas. */
export interface TenantBody {
  readonly tenant: {
    /** The id of a tenant of the application. */
    readonly id: string
    readonly usage: UsageBody
  }
}

/** No API key of the tenant is valid any more. */
export interface RevokedKeysBody {
  /** How many keys were valid. */
  readonly revoked: number
}

/** What an erasure would erase. */
export interface TenantErasureCount {
  readonly erasure: {
    /** The ended connections that would be erased: the number to confirm. */
    readonly connections: number
    /** The connections that have not ended; while there is one, nothing is erased. */
    readonly liveConnections: number
    /** The valid API keys that would be revoked. */
    readonly apiKeys: number
  }
}

export interface EraseTenantRequest {
  /** How many connections are to be erased, as `GET` has counted them or the last answer says. */
  readonly connections: number
}

/** What was erased. */
export interface TenantErasureBody {
  /** How many connections this request has erased. */
  readonly erased: number
  /** How many are left for another request; at 0 everything of the tenant is erased. */
  readonly remaining: number
}

export interface CreateApiKeyRequest {
  /** The id of a tenant of the application. */
  readonly tenantId: string
  /** The scopes of webhooks and of the audit log tell of all tenants. */
  readonly scopes?: NewKeyScopes
  /** Who or what uses the key. */
  readonly name?: string
  /** After how many days the key ends by itself; without it never. */
  readonly expiresInDays?: number
}

/** The scopes of a new API key: if they are left out, those of its tenant alone. Default: `["connections:read","connections:write","tokens:issue"]`. */
export type NewKeyScopes = ReadonlyArray<KeyScope>

/** A permission of an API key. */
export type KeyScope =
  | "connections:read"
  | "connections:write"
  | "tokens:issue"
  | "webhooks:read"
  | "webhooks:write"
  | "audit:read"

/** The API key and its secret. */
export interface NewApiKeyBody {
  readonly apiKey: ApiKey
  /** For `x-api-key`. Shown only once. */
  readonly key: string
}

export interface ApiKey {
  /** Assigned by the service. */
  readonly id: string
  /** The beginning of the key, by which its owner recognizes it. */
  readonly prefix: string
  /** Who or what uses the key. */
  readonly name?: string
  /** The id of a tenant of the application. */
  readonly tenantId: string
  readonly scopes: ReadonlyArray<KeyScope>
  readonly createdAt: Timestamp
  readonly expiresAt?: Timestamp
  readonly revokedAt?: Timestamp
  readonly lastUsedAt?: Timestamp
}

/** The API keys, valid or not. */
export interface ApiKeyListBody {
  readonly apiKeys: ReadonlyArray<ApiKey>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

export interface RotationRequest {
  readonly overlapSeconds?: OverlapSeconds
}

/** How long the old one stays valid: at most seven days. Default: `86400`. */
export type OverlapSeconds = number

/** The ask secret. */
export interface NewAskSecretBody {
  readonly askSecret: AskSecret
  /** Shown only once. */
  readonly secret: string
  /** The path at which the web server asks; it adds `?domain=`. */
  readonly path: string
}

export interface AskSecret {
  /** Assigned by the service. */
  readonly id: string
  readonly prefix: string
  readonly createdAt: Timestamp
  readonly expiresAt?: Timestamp
}

/** The valid ask secrets. */
export interface AskSecretListBody {
  readonly askSecrets: ReadonlyArray<AskSecret>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** The key of this name, which is made if there is none. */
export interface DomainConnectKeyBody {
  readonly domainConnectKey: DomainConnectKey
}

export interface DomainConnectKey {
  /** `syncPubKeyDomain` of the templates whose links it signs. */
  readonly domain: string
  /** The label below the domain at which the records are published. */
  readonly label: string
  /** The values of the TXT records that publish the public key. */
  readonly records: ReadonlyArray<string>
}

/** The keys, the newest first. */
export interface DomainConnectKeyListBody {
  readonly domainConnectKeys: ReadonlyArray<DomainConnectKey>
}

/** The connections of all tenants. */
export interface ConnectionSummaryListBody {
  readonly connections: ReadonlyArray<ConnectionSummary>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

export interface ConnectionSummary {
  /** Assigned by the service; ids sort by time. */
  readonly id: string
  /** The application that the API key belongs to. */
  readonly applicationId: string
  /** The id of a tenant of the application. */
  readonly tenantId: string
  readonly domain: string
  readonly state: ConnectionState
  /** The provider of the zone, once it is known. */
  readonly providerId?: string
  readonly failure?: FailureCode
  readonly phase?: "discover" | "provision" | "verify" | "restore" | "expire"
  /** How often the phase was begun. */
  readonly attempt: number
  readonly dueAt?: Timestamp
  /** For how long the phase has been due; 0 if it is not. */
  readonly overdueSeconds: number
  /** The process that works on the phase. */
  readonly takenBy?: string
  readonly updatedAt: Timestamp
}

/** The connection, and what happened to it. */
export interface ConnectionInspectionBody {
  readonly inspection: ConnectionInspection
}

export interface ConnectionInspection {
  readonly summary: ConnectionSummary
  readonly waitsFor: WaitReason
  /** What the connection waits for, and what can be done: a sentence. */
  readonly explanation: string
  /** Who can end the wait. */
  readonly mayAct: ReadonlyArray<WaitParty>
  /** What an operator may do now. */
  readonly allowedActions: ReadonlyArray<OperatorAction>
  readonly delay?: DelayCode
  readonly nextCheckAt?: Timestamp
  readonly credentialUntil?: Timestamp
  readonly connection: Connection
  readonly records: ObservationsBody
  /** The latest entries, the newest last. */
  readonly timeline: ReadonlyArray<InspectedTimelineEntry>
  /** Who did what: the latest entries, the newest first. */
  readonly audit: ReadonlyArray<AuditEntry>
  /** The latest changes, the newest first. */
  readonly providerCalls: ReadonlyArray<ProviderCall>
  /** The latest webhook events, the newest first, each with its delivery. */
  readonly deliveries: ReadonlyArray<ConnectionDelivery>
}

/** For what a connection waits. */
export type WaitReason =
  | "authorization"
  | "sign_in"
  | "approval"
  | "manual_records"
  | "dns_records"
  | "next_check"
  | "provider_pause"
  | "resolver"
  | "next_attempt"
  | "free_process"
  | "running_phase"
  | "retry"
  | "new_connection"
  | "nothing"

/** Who can end the wait of a connection. */
export type WaitParty = "customer" | "platform" | "operator" | "provider" | "service"

/** A command of an operator on a connection. */
export type OperatorAction = "retry" | "recheck" | "cancel"

export interface InspectedTimelineEntry {
  readonly id: string
  readonly from?: ConnectionState
  readonly to: ConnectionState
  readonly failure?: FailureCode
  readonly replan?: ReplanCode
  readonly occurredAt: Timestamp
}

export interface AuditEntry {
  readonly id: string
  readonly occurredAt: Timestamp
  readonly action: AuditAction
  readonly actor: AuditActor
  /** Absent for admin keys, which administer every application. */
  readonly applicationId?: string
  /** Absent for what belongs to the application as a whole. */
  readonly tenantId?: string
  /** Assigned by the service; ids sort by time. */
  readonly connectionId?: string
  readonly from?: ConnectionState
  readonly to?: ConnectionState
  readonly failure?: FailureCode
  /** The entry of the timeline of the connection, and the event of webhooks, with this change. */
  readonly eventId?: string
  /** The digest of the plan that it was about. */
  readonly digest?: string
  /** The warnings that were acknowledged with the consent. */
  readonly acknowledged?: ReadonlyArray<Warning>
  /** Present where the change proved control of the domain: how, as `control` of the connection says. */
  readonly control?: {
    readonly by: ControlMethod
  }
  /** Where a connection is degraded: the records that are missing, at most 10 of them. */
  readonly missing?: ReadonlyArray<MissingRecord>
  /** The API key, admin key or ask secret that was created, rotated or revoked, or the name of a key of Domain Connect. */
  readonly keyId?: string
  /** The API key or ask secret that follows a rotated one. */
  readonly successorId?: string
  /** The scopes of a new API key. */
  readonly scopes?: ReadonlyArray<string>
  /** The browser token or share link that was issued or redeemed: a part of its hash. */
  readonly tokenId?: string
  /** The origin that a browser token is bound to. */
  readonly origin?: string
  /** The settings that were changed; of `connection.changed` `externalId` and `metadata`. */
  readonly settings?: ReadonlyArray<string>
  /** The webhook endpoint. */
  readonly endpointId?: string
  /** How many deliveries were replayed. */
  readonly replayed?: number
  /** How far the time of a connection of test mode was moved on. */
  readonly seconds?: number
  /** The `x-request-id` of the request that did it. */
  readonly requestId?: string
  /** The address of the client that sent the request. */
  readonly address?: string
}

export type AuditAction =
  | "connection.created"
  | "connection.discovered"
  | "connection.manual_chosen"
  | "connection.manual_abandoned"
  | "connection.provider_selected"
  | "connection.intent_changed"
  | "connection.changed"
  | "connection.control_lost"
  | "connection.authorization_opened"
  | "connection.authorization_closed"
  | "connection.authorized"
  | "connection.planned"
  | "connection.plan_made"
  | "connection.approved"
  | "connection.put_back_requested"
  | "connection.plan_invalidated"
  | "connection.write_delayed"
  | "connection.applied"
  | "connection.active"
  | "connection.degraded"
  | "connection.setup_incomplete"
  | "connection.restored"
  | "connection.control_proven"
  | "connection.recheck_requested"
  | "connection.failed"
  | "connection.retried"
  | "connection.disconnect_requested"
  | "connection.records_inherited"
  | "connection.disconnected"
  | "connection.expired"
  | "connection.canceled"
  | "connection.change_canceled"
  | "connection.erased"
  | "tenant.erased"
  | "credential.stored"
  | "credential.deleted"
  | "browser_token.issued"
  | "browser_token.redeemed"
  | "browser_tokens.revoked"
  | "share_link.issued"
  | "share_links.revoked"
  | "api_key.created"
  | "api_key.rotated"
  | "api_key.revoked"
  | "admin_key.created"
  | "admin_key.revoked"
  | "application.created"
  | "application.changed"
  | "application.deleted"
  | "ask_secret.created"
  | "ask_secret.rotated"
  | "ask_secret.revoked"
  | "domain_connect_key.created"
  | "domain_connect_key.deleted"
  | "webhook_endpoint.created"
  | "webhook_endpoint.changed"
  | "webhook_endpoint.paused"
  | "webhook_endpoint.deleted"
  | "webhook_endpoint.secret_rotated"
  | "webhook_endpoint.replayed"
  | "test_zone.records_entered"
  | "test_zone.records_changed"
  | "test_time.advanced"

export interface AuditActor {
  readonly type: ActorType
  /** The id of the key or token; of `provider` that of the provider; of `service` its phase or task, such as `verify`. */
  readonly id: string
  /** Who or what uses the key. */
  readonly name?: string
}

export type ActorType =
  | "api_key"
  | "admin_key"
  | "browser_token"
  | "share_link"
  | "provider"
  | "service"
  | "command_line"

/** A change of a record at the provider. */
export interface ProviderCall {
  /** The attempt to apply a plan. */
  readonly run: string
  readonly step: Int
  readonly providerId: string
  readonly action: ChangeAction
  readonly host: string
  readonly type: string
  readonly status: "pending" | "sent" | "confirmed" | "unknown" | "failed"
  readonly plannedAt: Timestamp
  readonly settledAt?: Timestamp
}

export interface ConnectionDelivery {
  readonly endpointId: string
  /** Assigned by the service. */
  readonly eventId: string
  readonly type: WebhookEventType
  /** The id of a tenant of the application. */
  readonly tenantId?: string
  /** Assigned by the service; ids sort by time. */
  readonly connectionId?: string
  readonly status: DeliveryStatus
  /** How many attempts there were. */
  readonly attempts: number
  readonly nextAttemptAt?: Timestamp
  readonly lastAttempt?: {
    readonly at: Timestamp
    /** The HTTP status of the answer. */
    readonly status?: number
    readonly error?: AttemptError
    /** How long the attempt took, in milliseconds. */
    readonly millis: number
  }
  readonly createdAt: Timestamp
}

/** How all connections stand. */
export interface ConnectionOverviewBody {
  readonly overview: ConnectionOverview
}

export interface ConnectionOverview {
  /** Connections that have not ended, by state. */
  readonly states: ReadonlyArray<{
    readonly state: ConnectionState
    readonly count: Int
  }>
  /** Connections with a failure that changed within a day, by provider, the most frequent first. */
  readonly failures: ReadonlyArray<{
    readonly providerId?: string
    readonly failure: FailureCode
    readonly count: Int
  }>
  readonly phases: Backlog
  readonly webhooks: Backlog
  /** Webhook endpoints that fail or are paused. */
  readonly failingEndpoints: ReadonlyArray<{
    /** Assigned by the service. */
    readonly id: string
    /** The application that the API key belongs to. */
    readonly applicationId: string
    readonly pauseReason?: PauseReason
    readonly failingSince?: Timestamp
  }>
}

export interface Backlog {
  /** What is due, counted up to 10,000. */
  readonly waiting: number
  /** For how long the oldest has been due. */
  readonly oldestSeconds: number
}

/** The connection as the command left it. */
export interface ConnectionSummaryBody {
  readonly connection: ConnectionSummary
}

export interface RetryConnectionsRequest {
  readonly failure?: FailureCode
  /** The id of a provider. */
  readonly provider?: string
  /** The application that the API key belongs to. */
  readonly applicationId?: string
  /** The id of a tenant of the application. */
  readonly tenantId?: string
  /** The domain, or one below it. */
  readonly domain?: string
  /** How many connections at most; 100 by default. */
  readonly limit?: number
  /** Says what would happen, and changes nothing. */
  readonly dryRun?: FalseByDefault
}

/** What happened to each connection. */
export interface RetryConnectionsBody {
  readonly connections: ReadonlyArray<RetryOutcome>
}

export interface RetryOutcome {
  /** Assigned by the service; ids sort by time. */
  readonly id: string
  readonly domain: string
  readonly outcome: "retried" | "would_retry" | "refused"
  /** Why it was refused. */
  readonly message?: string
}

/** The entries. */
export interface AuditListBody {
  readonly entries: ReadonlyArray<AuditEntry>
  /** The cursor of the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** An event of a stream. */
export type StreamEvent = TimelineEvent | RecordsEvent | ConnectionEvent

/** The body of a webhook, by its `type`. */
export type WebhookEvent =
  | ConnectionCreatedWebhook
  | ConnectionPlannedWebhook
  | ConnectionSetupIncompleteWebhook
  | ConnectionAuthorizedWebhook
  | ConnectionAppliedWebhook
  | ConnectionActiveWebhook
  | ConnectionDegradedWebhook
  | ConnectionRestoredWebhook
  | ConnectionFailedWebhook
  | ConnectionDisconnectedWebhook
  | ConnectionCanceledWebhook
  | ConnectionExpiredWebhook
  | ConnectionContestedWebhook
  | ConnectionErasedWebhook
  | EndpointPausedWebhook
  | EndpointTestWebhook

/** What the caller authenticates with: an operation sends one that it takes. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly browserToken?: string | undefined
  readonly domainEntryToken?: string | undefined
  readonly adminKey?: string | undefined
}

/** The header in which each credential is sent. */
export const credentialHeaders: {
  readonly [Name in keyof Credentials]-?: (credential: string) => { readonly [name: string]: string }
} = {
  apiKey: (credential) => ({ "x-api-key": credential }),
  browserToken: (credential) => ({ authorization: `Bearer ${credential}` }),
  domainEntryToken: (credential) => ({ authorization: `Bearer ${credential}` }),
  adminKey: (credential) => ({ "x-admin-key": credential })
}
