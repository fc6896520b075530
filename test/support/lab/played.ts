import { Effect } from "effect"
import type { Scope } from "effect"
import { live } from "../effect.ts"
import { ask } from "./exchange.ts"
import type { Message } from "./packet.ts"
import { ScriptedInternet } from "./ScriptedInternet.ts"
import type { InternetSpec } from "./topology.ts"

/** Asks a host of the internet by its name. */
export type Ask = (host: string, name: string, type: string, options?: Partial<Message>) => Effect.Effect<Message>

/** Tests that each get an internet of their own, and a way to ask its servers. */
export const played =
  (spec: InternetSpec) =>
  <E>(title: string, body: (internet: ScriptedInternet, ask: Ask) => Effect.Effect<unknown, E, Scope.Scope>): void =>
    live(title, () =>
      Effect.flatMap(ScriptedInternet.make(spec), (internet) =>
        body(internet, (host, ...question) => ask(internet.dial(internet.addressOf(host)), ...question))
      )
    )
