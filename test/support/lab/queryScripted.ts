import { Effect, type Scope } from "effect"
import { live } from "../effectTest.ts"
import { ScriptedInternet } from "./ScriptedInternet.ts"
import type { InternetSpec } from "./ScriptedTopology.ts"
import type { LabMessage } from "./packet.ts"
import { sendQuery } from "./sendQuery.ts"

/** Sends a query to a host of the internet by its name. */
type QueryScriptedServer = (
  host: string,
  name: string,
  type: string,
  options?: Partial<LabMessage>
) => Effect.Effect<LabMessage>

/** Defines tests that each get their own internet and a function that queries its servers. */
export const queryScripted =
  (spec: InternetSpec) =>
  <E>(
    title: string,
    body: (internet: ScriptedInternet, ask: QueryScriptedServer) => Effect.Effect<unknown, E, Scope.Scope>
  ): void =>
    live(title, () =>
      Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
        body(internet, (host, ...question) => sendQuery(internet.dial(internet.addressOf(host)), ...question))
      )
    )
