import { Args, Command, HelpDoc, Options } from "@effect/cli"
import { Data, Effect, Either, type Layer, Option, Record, Schema } from "effect"
import { ConnectionOperations } from "../administration/ConnectionOperations.ts"
import { ApplicationId, tenancyIdRule, TenantId } from "../domain/access/Tenancy.ts"
import { ConnectionId, ConnectionState, FailureCode } from "../domain/connection/Connection.ts"
import {
  ConnectionInspection,
  ConnectionSummary,
  type OperatorAction,
  RetryOutcome
} from "../domain/connection/ConnectionInspection.ts"
import { type DomainName, parseDomain } from "../domain/names/DomainName.ts"
import { formatInspection, formatSummary } from "./formatInspection.ts"
import { type EnvironmentOption, environment as environmentOf, json, printResult, validate } from "./options.ts"

const environment = environmentOf("the connections are")

const connectionId = Args.text({ name: "connection-id" }).pipe(
  Args.withSchema(ConnectionId.pipe(Schema.pattern(/^con_/, { message: () => "must be the id of a connection" })))
)

const filterOptions = {
  failure: Options.text("failure").pipe(
    validate(
      Schema.compose(Schema.String, FailureCode),
      "--failure takes the code of a failure, such as provider_unavailable"
    ),
    Options.withDescription("Only connections with this failure."),
    Options.optional
  ),
  providerId: Options.text("provider").pipe(
    Options.withDescription("Only connections whose zone is at this provider, by its id."),
    Options.optional
  ),
  applicationId: Options.text("application").pipe(
    validate(ApplicationId, `--application takes ${tenancyIdRule}`),
    Options.withDescription("Only connections of this application."),
    Options.optional
  ),
  tenantId: Options.text("tenant").pipe(
    validate(TenantId, `--tenant takes ${tenancyIdRule}`),
    Options.withDescription("Only connections of this tenant."),
    Options.optional
  ),
  domain: Options.text("domain").pipe(
    Options.mapTryCatch(
      (text): DomainName => Either.getOrThrowWith(parseDomain(text), ({ message }) => new Error(message)),
      () => HelpDoc.p("--domain takes a domain, such as shop.example.com")
    ),
    Options.withDescription("Only connections of this domain, or of one below it."),
    Options.optional
  )
}

const limit = Options.integer("limit").pipe(
  validate(Schema.Int.pipe(Schema.between(1, 500)), "--limit takes a whole number from 1 to 500"),
  Options.withDefault(100),
  Options.withDescription("How many connections at most: 1 to 500.")
)

const list = Command.make(
  "list",
  {
    filter: filterOptions,
    states: Options.text("state").pipe(
      validate(
        Schema.compose(Schema.split(","), Schema.NonEmptyArray(ConnectionState)),
        `--state takes some of ${ConnectionState.literals.join(",")}`
      ),
      Options.withDescription("States, separated by commas."),
      Options.optional
    ),
    stuck: Options.boolean("stuck").pipe(
      Options.withDescription(
        "Only connections that no process has worked on since they were due a minute ago, or that get no further."
      )
    ),
    limit,
    environment,
    json
  },
  ({ filter, json, limit, states, stuck }) =>
    Effect.gen(function* () {
      const restricted = {
        ...Record.getSomes(filter),
        ...Record.getSomes({ states }),
        ...(stuck ? { overdueSeconds: stuckAfterSeconds } : {})
      }
      const found = yield* (yield* ConnectionOperations).list(restricted, { limit })
      yield* printResult(json, encodeSummaries(found), found.map(formatSummary).join("\n") || "no connection fits")
    })
).pipe(Command.withDescription("Find connections of all tenants, the newest first; with --stuck the longest first."))

const stuckAfterSeconds = 60

const show = Command.make("show", { connectionId, environment, json }, ({ connectionId, json }) =>
  Effect.gen(function* () {
    const inspection = yield* (yield* ConnectionOperations).inspect(connectionId)
    yield* printResult(json, encodeInspection(inspection), formatInspection(inspection))
  })
).pipe(Command.withDescription("Show what a connection waits for, who can end that, and what happened to it."))

const act = (action: Exclude<OperatorAction, "retry">) =>
  Command.make(action, { connectionId, environment, json }, ({ connectionId, json }) =>
    Effect.gen(function* () {
      const summary = yield* (yield* ConnectionOperations)[action](connectionId)
      yield* printResult(json, encodeSummary(summary), formatSummary(summary))
    })
  )

const recheck = act("recheck").pipe(Command.withDescription("Check the records of a connection now."))

const cancel = act("cancel").pipe(Command.withDescription("End a connection before its records are in the zone."))

const retry = Command.make(
  "retry",
  {
    connectionId: Args.optional(connectionId),
    filter: filterOptions,
    limit,
    isDryRun: Options.boolean("dry-run").pipe(Options.withDescription("Say what would happen, and change nothing.")),
    environment,
    json
  },
  ({ connectionId, filter, isDryRun, json, limit }) =>
    Effect.gen(function* () {
      const operations = yield* ConnectionOperations
      const outcomes = yield* operations.retryAll({
        filter: { ...Record.getSomes(filter), ...Record.getSomes({ id: connectionId }) },
        limit,
        isDryRun
      })
      if (outcomes.length === 0 && Option.isSome(connectionId)) return yield* new NothingToRetry()
      const text =
        outcomes.length === 0
          ? "no failed or degraded connection fits that a retry can help"
          : outcomes.map(formatOutcome).join("\n")
      const hint = isDryRun && outcomes.length > 0 ? "\n\nThis asked no quota: a retry may still be refused." : ""
      yield* printResult(json, encodeOutcomes(outcomes), `${text}${hint}`)
    })
).pipe(
  Command.withDescription(
    "Retry one failed or degraded connection, or all that fit the options and that a retry can help, the oldest first; --dry-run only says which."
  )
)

class NothingToRetry extends Data.TaggedError("NothingToRetry") {
  override readonly message = "no connection with this id has failed or is degraded"
}

const formatOutcome = ({ domain, id, message, outcome }: RetryOutcome): string =>
  [id, domain, outcome, ...(message === undefined ? [] : [message])].join("  ")

const encodeSummary = Schema.encodeSync(ConnectionSummary)
const encodeSummaries = Schema.encodeSync(Schema.Array(ConnectionSummary))
const encodeInspection = Schema.encodeSync(ConnectionInspection)
const encodeOutcomes = Schema.encodeSync(Schema.Array(RetryOutcome))

/** `connections`: finds connections of all tenants, shows them and acts on them. */
export const makeConnectionsCommand = <E, R>(
  operationsOf: (option: EnvironmentOption) => Layer.Layer<ConnectionOperations, E, R>
) =>
  Command.make("connections").pipe(
    Command.withDescription("The connections of all tenants: find, show, retry, check and cancel them."),
    Command.withSubcommands([
      Command.provide(list, operationsOf),
      Command.provide(show, operationsOf),
      Command.provide(retry, operationsOf),
      Command.provide(recheck, operationsOf),
      Command.provide(cancel, operationsOf)
    ])
  )
