import { Array, DateTime, Effect, Layer, Option } from "effect"
import { type ConnectionState, Failure } from "../../../src/domain/connection/Connection.ts"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import { OpenFileLimit } from "../../../src/runtime/openFiles.ts"
import { StateConflict, Unprocessable } from "../../../src/lifecycle/commands/commandErrors.ts"
import { makeQuotaExceeded } from "../../../src/limits/Quotas.ts"
import type { QuotaExceeded } from "../../../src/limits/limitErrors.ts"
import { CommitResult, ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { makeConnectionEnded } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { TestMode } from "../../../src/testmode/TestMode.ts"
import { samplePlan } from "../../persistence/connectionFixtures.ts"
import type { DeclaredOperation } from "../../support/documentedErrors.ts"
import { apiInMemory, issueKey, jsonOf, post, sampleIntent, tenancyOf } from "../../support/testApi.ts"
import { apiWith, apiWithOneSlot, checksMayEnd, overrideService } from "../support/apiWith.ts"
import {
  type CommandCase,
  commandCases,
  type ConnectionOverrides,
  createForCommand,
  createInState,
  otherIntent,
  sendCommand
} from "../support/commandFixtures.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { caseOf, casesOf, type ErrorCase, type ErrorCases, operations, sendAsCaller } from "../support/errorCases.ts"

const once = { "idempotency-key": "once" }

const another = { "idempotency-key": "another" }

const inProgress = Effect.succeed(CommitResult.InProgress())

const unprocessable = new Unprocessable({ code: "unprocessable", message: "there is no such host" })

const inConflict = new StateConflict({ code: "state_conflict", message: "it has changed at the same moment" })

/** An API whose test mode refuses the calls that write records, and that of time too where it can be refused so. */
const apiWhoseTestModeFails = (refusal: StateConflict | QuotaExceeded | Unprocessable) => {
  const refuse = () => Effect.fail(refusal)
  return apiWith(
    Layer.succeed(TestMode, {
      ...untouchedTestMode,
      enterRecords: refuse,
      changeRecords: refuse,
      ...(refusal._tag === "StateConflict" ? { advance: () => refusal } : {})
    })
  )
}

const untouchedTestMode: typeof TestMode.Service = {
  readZone: () => Effect.die("it is not refused"),
  enterRecords: () => Effect.die("records are not refused so"),
  changeRecords: () => Effect.die("records are not refused so"),
  advance: () => Effect.die("time is not refused so"),
  waitUntilIdle: () => Effect.void
}

const someTime = DateTime.unsafeMake("2026-01-02T03:04:05.678Z")

const expiredPlan = Plan.make({ ...samplePlan, expiresAt: someTime })

export const failureOf = (fields: Partial<Failure>) =>
  Failure.make({ code: "discovery_timeout", retryable: true, occurredAt: someTime, ...fields })

/** The cases of one error of several commands, each of which has an effect on the connection that is made for it. */
const casesOfCommands = (
  error: Parameters<typeof casesOf>[0],
  operations: ReadonlyArray<DeclaredOperation>,
  sendTo: (command: CommandCase) => ErrorCase["send"]
) => casesOf(error, operations, ({ path }) => sendTo(commandOf(path)))

const commandOf = (path: string): CommandCase => {
  const command = commandCases.find(({ name }) => path.endsWith(name === "update" ? "/{connectionId}" : `/${name}`))
  if (command === undefined) throw new Error(`no command has the path ${path}`)
  return command
}

/** Sends a command to a new connection in a state. */
const commandIn = (
  state: ConnectionState,
  overrides: ConnectionOverrides,
  command: { readonly name: string; readonly body?: unknown }
) => Effect.flatMap(createInState(state, overrides), ({ key, path }) => sendCommand(path, key, command))

const authorize = (body: object) => commandIn("awaiting_authorization", {}, { name: "authorization", body })

const approve = (fields: object, overrides: ConnectionOverrides = {}) =>
  commandIn("planned", overrides, { name: "approval", body: { digest: samplePlan.digest, ...fields } })

const onEndedConnection = (operation: DeclaredOperation) =>
  Effect.flatMap(createInState("canceled"), ({ path }) => sendAsCaller(operation, { connection: path }))

const onActiveConnection = (operation: DeclaredOperation) =>
  Effect.flatMap(createInState("active"), ({ path }) => sendAsCaller(operation, { connection: path }))

/** Creates a connection with an idempotency key. */
const createOnce = (key: string, headers = once, domain = sampleIntent.domain) =>
  post("/v1/connections", key, { intent: { ...sampleIntent, domain }, allowDuplicate: true }, headers)

/** Other bodies of the commands that have one. */
const otherBodies: Readonly<Record<string, unknown>> = {
  authorization: { method: "direct_credential", credential: {} },
  approval: { digest: samplePlan.digest },
  provider: { provider: "squarespace" },
  update: { intent: sampleIntent }
}

const commandErrorCases: ReadonlyArray<ErrorCase> = [
  ...casesOfCommands([409, "state_conflict"], operations.commands, (command) =>
    commandIn("authorized", command.overrides ?? {}, command)
  ),
  ...casesOfCommands([409, "connection_ended"], operations.commands, (command) =>
    commandIn("expired", command.overrides ?? {}, command)
  ),
  ...casesOfCommands([412, "precondition_failed"], operations.commands, (command) =>
    Effect.flatMap(createForCommand(command), ({ key, path }) => sendCommand(path, key, command, { "if-match": '"0"' }))
  ),
  ...casesOfCommands([422, "idempotency_key_reused"], operations.commandsWithBody, (command) =>
    Effect.flatMap(createForCommand(command), ({ key, path }) =>
      Effect.zipRight(
        sendCommand(path, key, command, once),
        sendCommand(path, key, { ...command, body: otherBodies[command.name] }, once)
      )
    )
  ),
  caseOf("authorizeConnection", [400, "return_url_not_allowed"], () =>
    authorize({ method: "oauth2_pkce", returnUrl: "http://shop.example.com/" })
  ),
  caseOf("authorizeConnection", [422, "authorization_method_unavailable"], () => authorize({ method: "oauth2_pkce" })),
  caseOf("authorizeConnection", [422, "credential_kind_mismatch"], () =>
    authorize({ method: "direct_credential", credential: {} })
  ),
  caseOf("authorizeConnection", [422, "approval_unavailable"], () =>
    authorize({ method: "domain_connect", approvedDigest: `sha-256:${"f".repeat(64)}` })
  ),
  caseOf("selectProvider", [422, "provider_not_selectable"], () =>
    commandIn("awaiting_authorization", {}, { name: "provider", body: { provider: "netlify" } })
  ),
  caseOf("approvePlan", [409, "plan_digest_mismatch"], () => approve({ digest: `sha-256:${"f".repeat(64)}` })),
  caseOf("approvePlan", [409, "plan_expired"], () => approve({}, { connection: { plan: expiredPlan } })),
  caseOf("approvePlan", [409, "acknowledgement_required"], () => approve({})),
  caseOf("approvePlan", [422, "not_left_over"], () =>
    approve({ putBack: [{ host: "@", type: "MX", value: "mx.example.org", priority: 10 }] })
  ),
  caseOf("retryConnection", [409, "failure_not_retryable"], () =>
    commandIn("failed", { connection: { failure: failureOf({ retryable: false }) } }, { name: "retry" })
  ),
  caseOf("updateConnection", [422, "unprocessable"], () =>
    commandIn("active", {}, { name: "update", body: { intent: { ...sampleIntent, domain: "example.org" } } })
  ),
  caseOf("updateConnection", [409, "connection_exists"], () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const intent = { ...otherIntent, records: otherIntent.records.map((record) => ({ ...record, ttl: 60 })) }
      yield* post("/v1/connections", key, { intent })
      return yield* commandIn("active", {}, { name: "update", body: { intent } })
    })
  ),
  caseOf("updateConnection", [409, "external_id_taken"], () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* post("/v1/connections", key, { intent: sampleIntent, externalId: "shop 8", allowDuplicate: true })
      return yield* commandIn("active", {}, { name: "update", body: { externalId: "shop 8" } })
    })
  ),
  caseOf("cancelConnection", [409, "records_written"], () =>
    commandIn("verifying", { progress: { hasWritten: true } }, { name: "cancel" })
  )
]

const otherErrorCases: ReadonlyArray<ErrorCase> = [
  caseOf("createConnection", [422, "unprocessable"], (operation) =>
    sendAsCaller(operation, { body: { intent: { ...sampleIntent, domain: "a..b" } } })
  ),
  caseOf("createConnection", [422, "idempotency_key_reused"], () =>
    Effect.flatMap(issueKey(), ({ key }) => Effect.zipRight(createOnce(key), createOnce(key, once, "example.org")))
  ),
  caseOf("createConnection", [409, "connection_exists"], (operation) => {
    const body = { intent: sampleIntent }
    return Effect.zipRight(sendAsCaller(operation, { body }), sendAsCaller(operation, { body }))
  }),
  caseOf("createConnection", [409, "external_id_taken"], (operation) => {
    const body = { intent: sampleIntent, externalId: "shop 7", allowDuplicate: true }
    return Effect.zipRight(sendAsCaller(operation, { body }), sendAsCaller(operation, { body }))
  }),
  caseOf("checkDomain", [422, "unprocessable"], (operation) => sendAsCaller(operation, { body: { domain: "a..b" } })),
  caseOf("issueBrowserToken", [400, "origin_not_canonical"], (operation) =>
    sendAsCaller(operation, { body: { origin: "https://shop.example.com/" } })
  ),
  caseOf("issueBrowserToken", [409, "connection_ended"], onEndedConnection),
  caseOf("createShareLink", [409, "connection_ended"], onEndedConnection),
  caseOf("eraseConnection", [409, "state_conflict"], (operation) => onActiveConnection(operation)),
  caseOf("eraseConnection", [412, "precondition_failed"], (operation) =>
    Effect.flatMap(createInState("canceled"), ({ path }) =>
      sendAsCaller(operation, { connection: path, headers: { "if-match": '"0"' } })
    )
  )
]

/** Sends a request to a new webhook endpoint. */
const toNewEndpoint =
  (id: string, changes: Parameters<typeof sendAsCaller>[1], { formerRequests = 0, settings = {} } = {}) =>
  (operation: DeclaredOperation) =>
    Effect.gen(function* () {
      const tenancy = tenancyOf(`webhooks-${id}-${operation.id}`, "tenant")
      const { key } = yield* issueKey(tenancy)
      const created = yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/", ...settings })
      const send = sendAsCaller(operation, { ...changes, endpoint: created.headers.get("location") ?? "" }, tenancy)
      return yield* Effect.zipRight(Effect.replicateEffect(send, formerRequests), send)
    })

/** Replays a delivery once more than its application may. */
const afterTenReplays = (pathOf: (eventId: string) => string, body: object | "") => (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancyOf(`webhooks-${operation.id}`, "tenant"))
    const created = yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
    const path = created.headers.get("location") ?? ""
    const { delivery } = yield* Effect.flatMap(post(`${path}/test`, key, ""), jsonOf)
    yield* Effect.replicateEffect(post(`${path}/deliveries/${delivery.eventId}/replay`, key, ""), 10)
    return yield* post(`${path}${pathOf(delivery.eventId)}`, key, body)
  })

const privateUrl = { url: "https://10.1.2.3/" }

const createEndpointOnce = (key: string, url: string) => post("/v1/webhook-endpoints", key, { url }, once)

const webhookErrorCases: ReadonlyArray<ErrorCase> = [
  caseOf("createWebhookEndpoint", [400, "webhook_url_not_allowed"], (operation) =>
    sendAsCaller(operation, { body: privateUrl })
  ),
  ...["updateWebhookEndpoint", "replaceWebhookEndpoint"].map((id) =>
    caseOf(id, [400, "webhook_url_not_allowed"], toNewEndpoint("url", { body: privateUrl }))
  ),
  caseOf(
    "replaceWebhookEndpoint",
    [409, "settings_omitted"],
    toNewEndpoint("omitted", {}, { settings: { eventTypes: ["connection.active"] } })
  ),
  ...[
    "updateWebhookEndpoint",
    "replaceWebhookEndpoint",
    "pauseWebhookEndpoint",
    "resumeWebhookEndpoint",
    "deleteWebhookEndpoint",
    "rotateWebhookSecret"
  ].map((id) => caseOf(id, [412, "precondition_failed"], toNewEndpoint("match", { headers: { "if-match": '"0"' } }))),
  caseOf("replayWebhookDelivery", [404, "webhook_delivery_not_found"], toNewEndpoint("replay", {})),
  caseOf("createWebhookEndpoint", [422, "idempotency_key_reused"], () =>
    Effect.flatMap(issueKey(tenancyOf("webhooks-key", "tenant")), ({ key }) =>
      Effect.zipRight(
        createEndpointOnce(key, "https://hooks.example.com/"),
        createEndpointOnce(key, "https://hooks.example.org/")
      )
    )
  ),
  caseOf("createWebhookEndpoint", [429, "quota_exceeded"], (operation) => {
    const create = sendAsCaller(operation, {}, tenancyOf("webhooks-quota", "tenant"))
    return Effect.zipRight(Effect.replicateEffect(create, 3), create)
  }),
  caseOf("sendTestEvent", [429, "quota_exceeded"], toNewEndpoint("tests", {}, { formerRequests: 120 })),
  caseOf(
    "replayWebhookDelivery",
    [429, "quota_exceeded"],
    afterTenReplays((eventId) => `/deliveries/${eventId}/replay`, "")
  ),
  caseOf(
    "replayWebhookDeliveries",
    [429, "quota_exceeded"],
    afterTenReplays(() => "/replay", { from: "2020-01-01T00:00:00.000Z" })
  )
]

/** The errors of single operations, and those of commands. */
export const operationErrorCases: ReadonlyArray<ErrorCases> = [
  {
    title: "an API with connections in many states",
    service: apiInMemory(),
    cases: [...commandErrorCases, ...otherErrorCases, ...webhookErrorCases]
  },
  {
    title: "an API in which the first request with an idempotency key is still running",
    service: apiWith(
      overrideService(ConnectionStore, (real) => ({
        create: (tenancy, transition, key, limit) =>
          Option.isSome(key) ? inProgress : real.create(tenancy, transition, key, limit),
        update: (tenancy, read, transition, key) =>
          Option.isSome(key) ? inProgress : real.update(tenancy, read, transition, key)
      }))
    ),
    cases: [
      caseOf("createConnection", [409, "idempotency_in_progress"], (operation) =>
        sendAsCaller(operation, { headers: once })
      ),
      ...casesOfCommands([409, "idempotency_in_progress"], operations.commands, (command) =>
        Effect.flatMap(createForCommand(command), ({ key, path }) => sendCommand(path, key, command, once))
      )
    ]
  },
  {
    title: "an API that keeps one answer",
    service: apiInMemory({ quotas: { idempotencyBytes: 1 } }),
    cases: [
      caseOf("createConnection", [429, "quota_exceeded"], () =>
        Effect.flatMap(issueKey(), ({ key }) => Effect.zipRight(createOnce(key), createOnce(key, another)))
      ),
      ...casesOfCommands([429, "quota_exceeded"], operations.commands, (command) =>
        Effect.flatMap(createForCommand(command), ({ key, path }) =>
          Effect.zipRight(createOnce(key), sendCommand(path, key, command, another))
        )
      )
    ]
  },
  {
    title: "an API that allows one open discovery",
    service: apiInMemory({ quotas: { openDiscoveries: 1 } }),
    cases: [
      caseOf("updateConnection", [429, "too_many_open_discoveries"], () =>
        Effect.gen(function* () {
          const { key, path } = yield* createInState("awaiting_authorization")
          yield* createConnectionPath(key)
          return yield* sendCommand(path, key, { name: "update", body: { intent: otherIntent } })
        })
      )
    ]
  },
  {
    title: "an API that allows two open discoveries",
    service: apiInMemory({ quotas: { openDiscoveries: 2 } }),
    cases: [
      caseOf("createConnection", [429, "too_many_open_discoveries"], (operation) => {
        const create = sendAsCaller(operation, {}, tenancyOf("app", "creations"))
        return Effect.zipRight(Effect.replicateEffect(create, 2), create)
      }),
      caseOf("retryConnection", [429, "too_many_open_discoveries"], () =>
        Effect.gen(function* () {
          const failure = failureOf({ resumeState: "requested" })
          const { key, path } = yield* createInState("failed", { connection: { failure } })
          yield* Effect.replicateEffect(createConnectionPath(key), 2)
          return yield* sendCommand(path, key, { name: "retry" })
        })
      )
    ]
  },
  {
    title: "an API that allows no event stream",
    service: apiInMemory({ streams: { perConnection: 0, perTenant: 0 } }),
    cases: [caseOf("streamEvents", [429, "too_many_streams"], onActiveConnection)]
  },
  {
    title: "an API without a free descriptor",
    service: Layer.provide(apiInMemory(), Layer.succeed(OpenFileLimit, 1)),
    cases: [caseOf("streamEvents", [503, "overloaded"], onActiveConnection)]
  },
  {
    title: "an API of test mode whose zones change all the time",
    service: apiWhoseTestModeFails(inConflict),
    cases: casesOf([409, "state_conflict"], operations.writingInTestMode, (operation) => sendAsCaller(operation))
  },
  {
    title: "an API of test mode whose connections have ended",
    service: apiWith(
      Layer.succeed(TestMode, { ...untouchedTestMode, enterRecords: () => makeConnectionEnded("canceled") })
    ),
    cases: [caseOf("enterTestRecords", [409, "connection_ended"], (operation) => sendAsCaller(operation))]
  },
  {
    title: "an API of test mode whose tenant has used up its storage",
    service: apiWhoseTestModeFails(makeQuotaExceeded("storageBytes", 1)),
    cases: casesOf(
      [429, "quota_exceeded"],
      operations.writingInTestMode.filter(({ id }) => id !== "advanceTestTime"),
      (operation) => sendAsCaller(operation)
    )
  },
  {
    title: "an API of test mode that finds fault with what is written",
    service: apiWhoseTestModeFails(unprocessable),
    cases: casesOf(
      [422, "unprocessable"],
      operations.writingInTestMode.filter(({ id }) => id !== "advanceTestTime"),
      (operation) => sendAsCaller(operation)
    )
  },
  {
    title: "an API whose slots are taken",
    service: apiWithOneSlot,
    cases: [
      caseOf("checkDomain", [503, "busy"], (operation) =>
        Effect.ensuring(Effect.raceAll(Array.makeBy(3, () => sendAsCaller(operation))), checksMayEnd.open)
      )
    ]
  }
]
