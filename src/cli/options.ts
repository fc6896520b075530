import { HelpDoc, Options } from "@effect/cli"
import { Console, DateTime, Duration, Effect, Option, Record, Schema, String } from "effect"
import { ApplicationId, KeyName, tenancyIdRule } from "../domain/access/Tenancy.ts"
import { mergeSettings } from "../domain/access/mergeSettings.ts"
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

/** Prints a document: without `--json` each field in a line of its own. */
export const printDocument = (asJson: boolean, document: object): Effect.Effect<void> =>
  printResult(
    asJson,
    document,
    Object.entries(document)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n")
  )

/** Prints the id and the secret of what a command created, which nothing shows again. */
export const printSecret = (
  asJson: boolean,
  document: { readonly id: string; readonly [field: string]: string },
  shown: { readonly subject: string; readonly value: string }
): Effect.Effect<void> =>
  printResult(asJson, document, `${document.id}\n${shown.value}\n\nThe ${shown.subject} is shown only this once.`)

/** Validates an option; `message` names it and says what it takes. */
export const validate =
  <A, I>(schema: Schema.Schema<A, I>, message: string) =>
  (option: Options.Options<I>): Options.Options<A> =>
    Options.mapTryCatch(option, Schema.decodeSync(schema), () => HelpDoc.p(message))

export const commaSeparated = Schema.compose(Schema.split(","), Schema.Array(Schema.Trim))

/** An option for one setting: its value, `null` for an empty text, which removes the setting, or none. */
export const settingOption = <A>(name: string, schema: Schema.Schema<A, string>, expected: string) =>
  Options.text(name).pipe(
    Options.mapTryCatch(
      (text) => (text === "" ? null : Schema.decodeSync(schema)(text)),
      () => HelpDoc.p(`--${name} takes ${expected}, or an empty text to remove it`)
    ),
    Options.withDescription(`${String.capitalize(expected)}; an empty text removes it.`),
    Options.optional
  )

/** The settings with the given options. */
export const applyChanges = (
  settings: object,
  changes: { readonly [setting: string]: Option.Option<unknown> }
): { readonly [setting: string]: unknown } => mergeSettings(settings, Record.getSomes(changes))

/** `--application`: whose what the command works on is. */
export const applicationId = Options.text("application").pipe(
  validate(ApplicationId, `--application takes ${tenancyIdRule}`)
)

/** `--name` of a new key. */
export const keyName = Options.text("name").pipe(
  validate(KeyName, "--name takes 1 to 100 characters in one line"),
  Options.optional,
  Options.withDescription("Who or what uses the key.")
)

/** `--expires-in-days`: when a new key ends by itself. */
export const expiresInDays = Options.integer("expires-in-days").pipe(
  validate(Schema.Int.pipe(Schema.between(1, 3_650)), "--expires-in-days takes a whole number from 1 to 3650"),
  Options.optional,
  Options.withDescription("After how many days the key ends by itself: 1 to 3650; without it never.")
)

/** When a key with this option ends. */
export const toExpiry = (days: Option.Option<number>) =>
  Option.match(days, {
    onNone: () => Effect.succeed({}),
    onSome: (days) => Effect.map(DateTime.now, (now) => ({ expiresAt: DateTime.add(now, { days }) }))
  })

/** Whether a key is valid, as lists of keys say it. */
export const formatKeyStatus = ({
  expiresAt,
  revokedAt
}: {
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}): string => {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`
  return expiresAt === null ? "valid" : `expires ${expiresAt.toISOString()}`
}

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
