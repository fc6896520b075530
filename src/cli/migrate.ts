import { Command } from "@effect/cli"
import { Console } from "effect"

/** `migrate`: the database that it is provided with is up to date. */
export const migrate = Command.make("migrate", {}, () => Console.log("The database is up to date.")).pipe(
  Command.withDescription("Bring the database up to date.")
)
