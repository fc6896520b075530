import { Array, Context, Effect, Layer } from "effect"
import { DnsClient } from "../transport/DnsClient.ts"
import type { Endpoint } from "../transport/Endpoint.ts"
import type { NoAnswer } from "../transport/NoAnswer.ts"
import { hedgeQueries, runQuery } from "../transport/Query.ts"
import type { Message, Question } from "../wire/decodeResponse.ts"

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
          runQuery(hedgeQueries(Array.map(resolvers, (resolver) => client.resolve(resolver, question))))
      }))
    )
}
