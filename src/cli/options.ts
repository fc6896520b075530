import { HelpDoc, Options } from "@effect/cli"
import { Console, Duration, type Effect, Schema } from "effect"
import { ApplicationId, tenancyIdRule } from "../domain/Tenancy.ts"
import type { DatabaseEnvironment } from "../persistence/commandDatabase.ts"
import { maxRotationOverlap } from "../security/ApiKeys.ts"

/** `--json` of every command that prints what it did. */
export const json = Options.boolean("json").pipe(Options.withDescription("Print JSON for scripts."))

/** `--environment` of a command that works on the live tables, or on those of test mode; `subject` names what is in them. */
export const environment = (subject: string) =>
  Options.choice("environment", ["live", "test"]).pipe(
    Options.withDefault("live" as const),
    Options.withDescription(`Whether ${subject} those of live connections or of test mode.`)
  )

/** What a command was given as `--environment`. */
export interface EnvironmentOption {
  readonly environment: DatabaseEnvironment
}

/** Prints what a command did: with `--json` the document, else the text for people. */
export const printResult = (asJson: boolean, document: unknown, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(document) : text)

/** Validates an option; `message` names it and says what it takes. */
export const validate =
  <A, I>(schema: Schema.Schema<A, I>, message: string) =>
  (option: Options.Options<I>): Options.Options<A> =>
    Options.mapTryCatch(option, Schema.decodeSync(schema), () => HelpDoc.p(message))

/** `--application`: whose what the command works on is. */
export const applicationId = Options.text("application").pipe(
  validate(ApplicationId, `--application takes ${tenancyIdRule}`)
)

/** `--overlap-hours`: how long what is rotated, a key or a secret, stays valid. */
export const overlapHours = (rotated: string) =>
  Options.integer("overlap-hours").pipe(
    validate(
      Schema.Int.pipe(Schema.between(0, Duration.toHours(maxRotationOverlap))),
      `--overlap-hours takes a whole number from 0 to ${Duration.toHours(maxRotationOverlap)}`
    ),
    Options.withDefault(24),
    Options.withDescription(`How long the old ${rotated} stays valid: 0 to 168 hours.`)
  )
