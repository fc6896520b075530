import { Args, Command, HelpDoc, Options } from "@effect/cli"
import { Array, Chunk, Effect, type Layer, Option, Schedule, Schema, Stream, Struct } from "effect"
import { Applications } from "../administration/Applications.ts"
import { Application, ApplicationSettings, ControlProof } from "../domain/access/Application.ts"
import type { DetailCode } from "../domain/error/detailMeanings.ts"
import { ApplicationId, TenantId } from "../domain/access/Tenancy.ts"
import type { StoredApplication } from "../persistence/stores/access/ApplicationStore.ts"
import {
  applyChanges,
  commaSeparated,
  type EnvironmentOption,
  environment as environmentOf,
  json,
  printDocument,
  printResult,
  settingOption
} from "./options.ts"

const applicationId = Args.text({ name: "application-id" }).pipe(Args.withSchema(ApplicationId))

const environment = environmentOf("the applications are")

const { logoUrl, name, returnOrigins, supportEmail, supportUrl } = ApplicationSettings.fields

const settingOptions = {
  name: settingOption("name", name.from, "what customers call the platform, in 1 to 100 characters"),
  logoUrl: settingOption("logo-url", logoUrl.from, "an https URL"),
  supportEmail: settingOption("support-email", supportEmail.from, "an e-mail address"),
  supportUrl: settingOption("support-url", supportUrl.from, "an https URL"),
  returnOrigins: settingOption(
    "return-origins",
    Schema.compose(commaSeparated, returnOrigins.from),
    "origins, separated by commas"
  ),
  controlProof: Options.text("control-proof").pipe(
    Options.mapTryCatch(Schema.decodeUnknownSync(ControlProof), () =>
      HelpDoc.p(`--control-proof takes ${ControlProof.literals.join(", ")}`)
    ),
    Options.withDescription(
      `When a connection needs proof of control of its domain: ${ControlProof.literals.join(", ")}.`
    ),
    Options.optional
  )
}

const decodeSettings = Schema.decodeUnknownSync(ApplicationSettings)

const list = Command.make("list", { environment, json }, ({ json }) =>
  Effect.gen(function* () {
    const applications = yield* Applications
    const all = yield* Stream.runCollect(
      Stream.paginateChunkEffect("", (after) =>
        Effect.map(applications.list({ limit: pageSize, after }), (page) => [
          Chunk.fromIterable(page),
          page.length < pageSize ? Option.none() : Option.map(Array.last(page), ({ id }): string => id)
        ])
      )
    )
    const found = Chunk.toReadonlyArray(all)
    const lines = found.map(({ id, settings: { name } }) => (name === undefined ? id : `${id}  ${name}`))
    yield* printResult(json, found.map(toDocument), lines.join("\n"))
  })
).pipe(Command.withDescription("List the applications."))

const pageSize = 100

const show = Command.make("show", { applicationId, environment, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    yield* printApplication(yield* (yield* Applications).find(applicationId), json)
  })
).pipe(Command.withDescription("Show the settings of an application."))

const create = Command.make(
  "create",
  { applicationId, changes: settingOptions, environment, json },
  ({ applicationId, changes, json }) =>
    Effect.gen(function* () {
      const settings = decodeSettings(applyChanges({}, changes))
      yield* printApplication(yield* (yield* Applications).create(applicationId, settings), json)
    })
).pipe(Command.withDescription("Create an application with these settings."))

const set = Command.make(
  "set",
  { applicationId, changes: settingOptions, environment, json },
  ({ applicationId, changes, json }) =>
    Effect.gen(function* () {
      const selection = { id: applicationId, matches: () => true }
      const updated = yield* (yield* Applications).update(selection, (current) =>
        Effect.succeed(decodeSettings(applyChanges(current, changes)))
      )
      yield* printApplication(updated, json)
    })
).pipe(Command.withDescription("Change these settings of an application, and leave the others."))

const remove = Command.make("delete", { applicationId, environment, json }, ({ applicationId, json }) =>
  Effect.gen(function* () {
    const { remove } = yield* Applications
    // Each call erases some of the connections that have ended, and the service delivers the events of that.
    yield* remove({ id: applicationId, matches: () => true }).pipe(
      Effect.retry({ while: isRefusedWith("application_has_ended_connections") }),
      Effect.retry({
        while: isRefusedWith("application_has_pending_deliveries"),
        schedule: Schedule.spaced("1 second"),
        times: 10
      })
    )
    yield* printResult(json, { id: applicationId, deleted: true }, `${applicationId} is deleted`)
  })
).pipe(
  Command.withDescription(
    "Delete an application without live connections, with its API keys, ended connections and webhook endpoints."
  )
)

const isRefusedWith =
  (detail: DetailCode) =>
  (error: Effect.Effect.Error<ReturnType<typeof Applications.Service.remove>>): boolean =>
    error._tag === "ApplicationNotEmpty" && error.details?.some(({ code }) => code === detail) === true

const eraseTenant = Command.make(
  "erase-tenant",
  {
    applicationId,
    tenantId: Args.text({ name: "tenant-id" }).pipe(Args.withSchema(TenantId)),
    connections: Options.integer("connections").pipe(
      Options.withDescription("How many connections to erase: the number that the command prints without this option."),
      Options.optional
    ),
    environment,
    json
  },
  ({ applicationId, connections, json, tenantId }) =>
    Effect.gen(function* () {
      const applications = yield* Applications
      const tenancy = { applicationId, tenantId }
      if (Option.isNone(connections)) {
        const { apiKeys, endedConnections, liveConnections } = yield* applications.countTenant(tenancy)
        return yield* printResult(
          json,
          { connections: endedConnections, liveConnections, apiKeys },
          `${tenantId} has ${endedConnections} ended connections, ${liveConnections} live ones and ${apiKeys} valid API keys. ` +
            `Nothing is erased yet: add --connections ${endedConnections} to erase the tenant`
        )
      }
      const erased = yield* Effect.iterate(
        { erased: 0, remaining: connections.value, isDone: false },
        {
          while: ({ isDone }) => !isDone,
          body: (done) =>
            Effect.map(applications.eraseTenant(tenancy, done.remaining), ({ erased, remaining }) => ({
              erased: done.erased + erased,
              remaining,
              isDone: remaining === 0
            }))
        }
      )
      yield* printResult(
        json,
        { id: tenantId, erased: true, connections: erased.erased },
        `${tenantId} is erased, with ${erased.erased} connections`
      )
    })
).pipe(
  Command.withDescription(
    "Erase a tenant without live connections, with everything that it has. Without --connections it only counts."
  )
)

const toDocument = ({ settings, ...stored }: StoredApplication) =>
  Schema.encodeSync(Application)({ ...Struct.pick(stored, "id", "createdAt", "updatedAt"), ...settings })

const printApplication = (stored: StoredApplication, asJson: boolean) =>
  Effect.suspend(() => printDocument(asJson, toDocument(stored)))

/** `applications`: the applications and their settings, by the same rules as over HTTP; those of test mode with `--environment test`. */
export const makeApplicationsCommand = <E, R>(
  applicationsOf: (option: EnvironmentOption) => Layer.Layer<Applications, E, R>
) =>
  Command.make("applications").pipe(
    Command.withDescription("The applications and their settings."),
    Command.withSubcommands([
      Command.provide(list, applicationsOf),
      Command.provide(show, applicationsOf),
      Command.provide(create, applicationsOf),
      Command.provide(set, applicationsOf),
      Command.provide(remove, applicationsOf),
      Command.provide(eraseTenant, applicationsOf)
    ])
  )
