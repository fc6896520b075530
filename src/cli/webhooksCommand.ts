import { Command, Options } from "@effect/cli"
import { Effect, type Layer, Option, Redacted, Schema } from "effect"
import { Applications } from "../administration/Applications.ts"
import { type ApplicationId, tenancyIdRule } from "../domain/access/Tenancy.ts"
import { WebhookDelivery } from "../domain/webhook/WebhookDelivery.ts"
import {
  endpointSettingsOf,
  EndpointStatus,
  WebhookEndpoint,
  type WebhookEndpointId,
  WebhookEndpointSettings
} from "../domain/webhook/WebhookEndpoint.ts"
import { WebhookEndpoints } from "../webhooks/WebhookEndpoints.ts"
import {
  applicationId,
  applyChanges,
  commaSeparated,
  type EnvironmentOption,
  json,
  printDocument,
  printResult,
  printSecret,
  settingOption,
  validate
} from "./options.ts"
import { deliveries, replay } from "./webhookDeliveries.ts"
import { endpointId, webhookEnvironment as environment } from "./webhookOptions.ts"

const { description, eventTypes, tenantIds, url } = WebhookEndpointSettings.fields

const urlOption = Options.text("url").pipe(
  validate(url, "--url takes up to 2000 characters"),
  Options.withDescription("Where the events are posted to: an https URL with a public address.")
)

const settingOptions = {
  description: settingOption("description", description.from, "up to 500 characters"),
  eventTypes: settingOption(
    "event-types",
    Schema.compose(commaSeparated, eventTypes.from),
    "types such as connection.active, separated by commas, to get only these events"
  ),
  tenantIds: settingOption(
    "tenants",
    Schema.compose(commaSeparated, tenantIds.from),
    `ids, each ${tenancyIdRule}, separated by commas, to get only the events of these tenants`
  )
}

const decodeSettings = Schema.decodeUnknownSync(WebhookEndpointSettings)

const printIssued = (id: WebhookEndpointId, secret: Redacted.Redacted, asJson: boolean) =>
  printSecret(asJson, { id, secret: Redacted.value(secret) }, { subject: "secret", value: Redacted.value(secret) })

const create = Command.make(
  "create",
  {
    applicationId,
    url: urlOption,
    changes: settingOptions,
    environment,
    json
  },
  ({ applicationId, changes, json, url }) =>
    Effect.gen(function* () {
      yield* (yield* Applications).find(applicationId)
      const settings = decodeSettings(applyChanges({ url }, changes))
      const { secret, stored } = yield* (yield* WebhookEndpoints).create(applicationId, settings, Option.none())
      yield* printIssued(stored.endpoint.id, secret, json)
    })
).pipe(Command.withDescription("Create an endpoint that gets the events of an application, and show its secret."))

const list = Command.make("list", { applicationId, environment, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    yield* (yield* Applications).find(applicationId)
    const endpoints = (yield* (yield* WebhookEndpoints).list(applicationId)).map(({ endpoint }) => endpoint)
    yield* printResult(
      json,
      endpoints.map((endpoint) => encodeEndpoint(endpoint)),
      endpoints.map(formatEndpoint).join("\n")
    )
  })
).pipe(Command.withDescription("List the endpoints of an application, without their secrets."))

const encodeEndpoint = Schema.encodeSync(WebhookEndpoint)

const formatEndpoint = ({ eventTypes, id, pauseReason, tenantIds, url }: WebhookEndpoint): string =>
  [
    id,
    url,
    eventTypes?.join(",") ?? "all events",
    tenantIds?.length === 0 ? "no tenants" : (tenantIds?.join(",") ?? "all tenants"),
    pauseReason === undefined ? "enabled" : `paused: ${pauseReason}`
  ].join("  ")

const show = Command.make("show", { endpointId, applicationId, environment, json }, ({ json, ...selection }) =>
  Effect.gen(function* () {
    const { applicationId, endpointId } = selection
    const { endpoint } = yield* (yield* WebhookEndpoints).find(applicationId, endpointId)
    yield* printDocument(json, encodeEndpoint(endpoint))
  })
).pipe(Command.withDescription("Show the settings of an endpoint, and whether it gets its events; never its secret."))

const set = Command.make(
  "set",
  {
    endpointId,
    applicationId,
    changes: { url: Options.optional(urlOption), ...settingOptions },
    environment,
    json
  },
  ({ changes, json, ...selection }) =>
    Effect.gen(function* () {
      const { endpoint } = yield* (yield* WebhookEndpoints).update(select(selection), ({ endpoint }) =>
        Effect.succeed({
          settings: decodeSettings(applyChanges(endpointSettingsOf(endpoint), changes)),
          status: endpoint.status
        })
      )
      yield* printDocument(json, encodeEndpoint(endpoint))
    })
).pipe(Command.withDescription("Change these settings of an endpoint, and leave the others."))

const rotateSecret = Command.make(
  "rotate-secret",
  { endpointId, applicationId, environment, json },
  ({ json, ...selection }) =>
    Effect.gen(function* () {
      const { secret } = yield* (yield* WebhookEndpoints).rotateSecret(select(selection))
      yield* printIssued(selection.endpointId, secret, json)
    })
).pipe(Command.withDescription("Show a new secret; the old one signs too for a day."))

const setStatus = (name: string, status: typeof EndpointStatus.Type) =>
  Command.make(name, { endpointId, applicationId, environment, json }, ({ json, ...selection }) =>
    Effect.gen(function* () {
      yield* (yield* WebhookEndpoints).setStatus(select(selection), status)
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

const test = Command.make(
  "test",
  { endpointId, applicationId, environment, json },
  ({ applicationId, endpointId, json }) =>
    Effect.gen(function* () {
      const delivery = yield* (yield* WebhookEndpoints).sendTest(applicationId, endpointId)
      const text = `${delivery.eventId} is due; the service sends it unless the endpoint is paused`
      yield* printResult(json, encodeDelivery(delivery), text)
    })
).pipe(Command.withDescription("Send the event endpoint.test to an endpoint, whatever it filters."))

const encodeDelivery = Schema.encodeSync(WebhookDelivery)

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
      Command.provide(show, webhooksOf),
      Command.provide(set, webhooksOf),
      Command.provide(test, webhooksOf),
      Command.provide(rotateSecret, webhooksOf),
      Command.provide(pause, webhooksOf),
      Command.provide(resume, webhooksOf),
      Command.provide(deliveries, webhooksOf),
      Command.provide(replay, webhooksOf),
      Command.provide(remove, webhooksOf)
    ])
  )
