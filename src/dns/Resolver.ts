import { Array, Context, Effect, Layer } from "effect"
import { awaited, hedged } from "./Asking.ts"
import { DnsClient } from "./DnsClient.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { NoAnswer } from "./NoAnswer.ts"
import type { Message, Question } from "./wire/decodeAnswer.ts"

/** What the operator's recursive resolvers answer, whichever of them does first. */
export class Resolver extends Context.Tag("dns/Resolver")<
  Resolver,
  { readonly resolve: (question: Question) => Effect.Effect<Message, NoAnswer> }
>() {
  /** The resolvers (`DNS_RESOLVERS`) are asked in this order. */
  static readonly layer = (resolvers: Array.NonEmptyReadonlyArray<Endpoint>): Layer.Layer<Resolver, never, DnsClient> =>
    Layer.effect(
      Resolver,
      Effect.map(DnsClient, (client) => ({
        resolve: (question: Question) =>
          awaited(hedged(Array.map(resolvers, (resolver) => client.resolve(resolver, question))))
      }))
    )
}
