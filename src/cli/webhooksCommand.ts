import { Args, Command, Options } from "@effect/cli"
import { Effect, type Layer, Option, Redacted, Schema, Struct } from "effect"
import { Applications } from "../administration/Applications.ts"
import { type ApplicationId, tenancyIdRule } from "../domain/Tenancy.ts"
import {
  EndpointStatus,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointSettings
} from "../domain/WebhookEndpoint.ts"
import { WebhookEndpoints } from "../webhooks/WebhookEndpoints.ts"
import {
  applicationId,
  type EnvironmentOption,
  environment as environmentOf,
  json,
  printResult,
  validate
} from "./options.ts"

const environment = environmentOf("the webhook endpoints are")

const endpointId = Args.text({ name: "endpoint-id" }).pipe(Args.withSchema(WebhookEndpointId))

const { description, eventTypes, tenantIds, url } = WebhookEndpointSettings.fields

const optionalSettings = {
  description: Options.text("description").pipe(
    validate(description.from, "--description takes up to 500 characters"),
    Options.map((description) => ({ description })),
    Options.withDefault({})
  ),
  eventTypes: Options.text("event-types").pipe(
    validate(Schema.compose(Schema.split(","), eventTypes.from), "--event-types takes types such as connection.active"),
    Options.map((eventTypes) => ({ eventTypes })),
    Options.withDefault({}),
    Options.withDescription("Only these events, separated by commas; all of them without it.")
  ),
  tenantIds: Options.text("tenants").pipe(
    validate(Schema.compose(Schema.split(","), tenantIds.from), `--tenants takes ids, each ${tenancyIdRule}`),
    Options.map((tenantIds) => ({ tenantIds })),
    Options.withDefault({}),
    Options.withDescription("Only the connections of these tenants, separated by commas; those of all without it.")
  )
}

const printSecret = (id: WebhookEndpointId, secret: Redacted.Redacted, asJson: boolean) =>
  printResult(
    asJson,
    { id, secret: Redacted.value(secret) },
    `${id}\n${Redacted.value(secret)}\n\nThe secret is shown only this once.`
  )

const create = Command.make(
  "create",
  {
    applicationId,
    url: Options.text("url").pipe(
      validate(url, "--url takes up to 2000 characters"),
      Options.withDescription("Where the events are posted to: an https URL with a public address.")
    ),
    optionalSettings,
    environment,
    json
  },
  ({ applicationId, json, optionalSettings: { description, eventTypes, tenantIds }, url }) =>
    Effect.gen(function* () {
      yield* (yield* Applications).find(applicationId)
      const settings = { url, ...description, ...eventTypes, ...tenantIds }
      const { secret, stored } = yield* (yield* WebhookEndpoints).create(applicationId, settings, Option.none())
      yield* printSecret(stored.endpoint.id, secret, json)
    })
).pipe(Command.withDescription("Create an endpoint that gets the events of an application, and show its secret."))

const list = Command.make("list", { applicationId, environment, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    yield* (yield* Applications).find(applicationId)
    const endpoints = (yield* (yield* WebhookEndpoints).list(applicationId)).map(({ endpoint }) => endpoint)
    yield* printResult(json, encodeEndpoints(endpoints), endpoints.map(formatEndpoint).join("\n"))
  })
).pipe(Command.withDescription("List the endpoints of an application, without their secrets."))

const encodeEndpoints = Schema.encodeSync(Schema.Array(WebhookEndpoint))

const formatEndpoint = ({ eventTypes, id, pauseReason, tenantIds, url }: WebhookEndpoint): string =>
  [
    id,
    url,
    eventTypes?.join(",") ?? "all events",
    tenantIds?.join(",") ?? "all tenants",
    pauseReason === undefined ? "enabled" : `paused: ${pauseReason}`
  ].join("  ")

const rotateSecret = Command.make(
  "rotate-secret",
  { endpointId, applicationId, environment, json },
  ({ json, ...selection }) =>
    Effect.gen(function* () {
      const { secret } = yield* (yield* WebhookEndpoints).rotateSecret(select(selection))
      yield* printSecret(selection.endpointId, secret, json)
    })
).pipe(Command.withDescription("Show a new secret; the old one signs too for a day."))

const setStatus = (name: string, status: typeof EndpointStatus.Type) =>
  Command.make(name, { endpointId, applicationId, environment, json }, ({ json, ...selection }) =>
    Effect.gen(function* () {
      yield* (yield* WebhookEndpoints).update(select(selection), ({ endpoint }) => ({
        settings: Struct.pick(endpoint, "url", "description", "eventTypes", "tenantIds"),
        status
      }))
      const id = selection.endpointId
      yield* printResult(json, { id, status }, `${id} is ${status}`)
    })
  )

const pause = setStatus("pause", "paused").pipe(
  Command.withDescription("Send nothing to an endpoint for now; what waits is kept for 30 days.")
)

const resume = setStatus("resume", "enabled").pipe(
  Command.withDescription("Send what waits for an endpoint, and what comes.")
)

const remove = Command.make("delete", { endpointId, applicationId, environment, json }, ({ json, ...selection }) =>
  Effect.gen(function* () {
    yield* (yield* WebhookEndpoints).remove(select(selection))
    const id = selection.endpointId
    yield* printResult(json, { id, deleted: true }, `${id} is deleted`)
  })
).pipe(Command.withDescription("Delete an endpoint; what waits for it is not sent any more."))

const select = ({
  applicationId,
  endpointId
}: {
  readonly applicationId: ApplicationId
  readonly endpointId: WebhookEndpointId
}) => ({ applicationId, id: endpointId, matches: () => true })

/** `webhooks`: the webhook endpoints of an application, by the same rules as over HTTP; those of test mode with `--environment test`. */
export const makeWebhooksCommand = <E, R>(
  webhooksOf: (option: EnvironmentOption) => Layer.Layer<Applications | WebhookEndpoints, E, R>
) =>
  Command.make("webhooks").pipe(
    Command.withDescription("The webhook endpoints of applications."),
    Command.withSubcommands([
      Command.provide(create, webhooksOf),
      Command.provide(list, webhooksOf),
      Command.provide(rotateSecret, webhooksOf),
      Command.provide(pause, webhooksOf),
      Command.provide(resume, webhooksOf),
      Command.provide(remove, webhooksOf)
    ])
  )
