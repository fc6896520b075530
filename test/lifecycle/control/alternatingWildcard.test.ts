import { expect } from "bun:test"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { live } from "../../support/effectTest.ts"
import type { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { Fault } from "../../support/lab/dnsFaults.ts"
import { withScriptedInternet } from "../../support/lifecycleInMemory.ts"
import { noOptions, readConnection, tenancy } from "../phases/scriptedProvider.ts"

const nameServers = ["ns1.prov.net", "ns2.prov.net"]

const records = `* A   192.0.2.31
                 * TXT "one"`

/** Every server answers TXT at these names with the other value between which the wildcard alternates. */
const alternateAt = (internet: ScriptedInternet, ...names: ReadonlyArray<string>) => {
  const alternate: Fault = ({ question }, correct) =>
    question.type === "TXT" && names.includes(question.name.replace(/\.$/, ""))
      ? { ...correct, answers: correct.answers.map((answer) => ({ ...answer, data: '"two"' })) }
      : correct
  nameServers.forEach((server) => internet.script(server, alternate))
}

const runPhases = Effect.gen(function* () {
  const { tick } = yield* Dispatcher
  const { size } = yield* WorkSlots
  while ((yield* tick) > 0 || (yield* size) > 0)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
})

const readOutcome = (id: ConnectionId) =>
  Effect.map(readConnection(id), ({ control, state }) => [state, control?.by ?? control?.status])

live("a wildcard proves no host below it, however its answers alternate while nobody changes the zone", () =>
  withScriptedInternet(
    { zones: { "example.com": { nameServers, records } } },
    (internet) =>
      Effect.gen(function* () {
        const connections = yield* Connections
        // The domain seems to exist by another value than that of a new name, and the host below it not to exist.
        alternateAt(internet, "app.example.com")
        const intent = {
          domain: "app.example.com",
          records: [{ host: "www", type: "A", value: "192.0.2.31" }] as const
        }
        const { stored } = yield* connections.create(tenancy, intent, Option.none(), {})
        yield* runPhases
        if ((yield* readOutcome(stored.id))[0] === "awaiting_authorization") {
          yield* connections.chooseManual(tenancy, stored.id, noOptions)
          yield* runPhases
        }
        // Then the host seems to exist as well.
        alternateAt(internet, "app.example.com", "www.app.example.com")
        yield* connections.recheck(tenancy, stored.id, noOptions)
        yield* runPhases
        expect(yield* readOutcome(stored.id)).toEqual(["verifying", "unproven"])
      }),
    "required"
  )
)
