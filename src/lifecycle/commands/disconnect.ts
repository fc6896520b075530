import { Effect } from "effect"
import type { Connection } from "../../domain/connection/Connection.ts"
import { secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import { Credentials } from "../../security/Credentials.ts"
import { CommandRunner } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { type Command, runCommand } from "./defineCommand.ts"

/** Removes the records of a connection from its zone; a stored credential spares the customer a new authorization. */
export const disconnect = Effect.gen(function* () {
  const credentials = yield* Credentials
  const runner = yield* CommandRunner

  const command: Command = (tenancy, id, options) =>
    runCommand(runner, tenancy, id, options, ({ connection }) =>
      isBeingRemoved(connection)
        ? Effect.succeed({ events: [] })
        : Effect.map(credentials.isStored(secretOwnerOf(connection)), (hasCredential) => ({
            events: [LifecycleEvent.DisconnectRequested({ hasCredential })]
          }))
    )
  return command
})

/** Whether an earlier command removes the records, or has removed them; a removal that has failed is begun again. */
const isBeingRemoved = ({ direction, state }: Connection): boolean => direction === "restore" && state !== "failed"
