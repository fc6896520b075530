import { Console, type Effect } from "effect"

/** Prints what a command did: as JSON for scripts, else as a text for people. */
export const printResult = (asJson: boolean, document: unknown, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(document) : text)
