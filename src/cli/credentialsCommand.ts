import { Command, Options } from "@effect/cli"
import { Console, Effect, Schedule } from "effect"
import { Credentials, type ResealResult } from "../security/Credentials.ts"

const json = Options.boolean("json").pipe(Options.withDescription("Print JSON for scripts."))

const reseal = Command.make("reseal", { json }, ({ json }) =>
  Effect.flatMap(Credentials, (credentials) => credentials.reseal).pipe(
    // What was sealed again stays so; an embedded server goes with the process that started it.
    Effect.retry({ schedule: Schedule.spaced("1 second"), times: 10 }),
    Effect.flatMap((done) => Console.log(json ? JSON.stringify(done) : inWords(done)))
  )
).pipe(Command.withDescription("Seal with the newest master key what is kept under older ones, which then can go."))

const inWords = ({ keyVersion, resealed }: ResealResult): string =>
  `${resealed} ${resealed === 1 ? "credential was" : "credentials were"} sealed again with key version ${keyVersion}`

/** `credentials`: what the operator does about the credentials of customers, without seeing any. */
export const credentialsCommand = Command.make("credentials").pipe(
  Command.withDescription("The sealed credentials of customers."),
  Command.withSubcommands([reseal])
)
