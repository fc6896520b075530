import { Array, Cache, Context, Data, Duration, Effect, Exit, Layer, Option } from "effect"
import { type LookupQuestion, questionKey } from "../../planning/DnsLookup.ts"
import type { Message } from "../wire/decodeResponse.ts"
import { Resolver } from "./Resolver.ts"

/** What the DNS says beyond a zone, asked of the operator's resolvers. */
export class CachedResolver extends Context.Tag("dns/CachedResolver")<
  CachedResolver,
  {
    /** The values by `questionKey`, at most two seconds old; what nobody answered within `atMost` has no entry. */
    readonly lookUp: (
      questions: ReadonlyArray<LookupQuestion>,
      atMost: Duration.Duration
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
  }
>() {
  static readonly layer = Layer.effect(
    CachedResolver,
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const told = yield* Cache.makeWith({
        capacity: 10_000,
        lookup: (question: LookupQuestion) => Effect.flatMap(resolver.resolve(question), valuesIn(question)),
        timeToLive: Exit.match({ onSuccess: () => freshFor, onFailure: () => Duration.zero })
      })
      return {
        lookUp: Effect.fn("CachedResolver.lookUp")(function* (questions, atMost) {
          const answers = yield* Effect.forEach(
            questions,
            (question) =>
              Effect.map(
                Effect.option(Effect.timeout(told.get(Data.struct(question)), atMost)),
                Option.map((values) => [questionKey(question), values] as const)
              ),
            { concurrency: "unbounded" }
          )
          return new Map(Array.getSomes(answers))
        })
      }
    })
  )
}

/** For the steps of one connection, which plan one after the other. */
const freshFor = Duration.seconds(2)

/** Of a chain of aliases the end counts; that there is nothing must be proven by a SOA (RFC 2308 section 5). */
const valuesIn =
  ({ type }: LookupQuestion) =>
  ({ answers, authorities }: Message): Option.Option<ReadonlyArray<string>> => {
    const values = answers.filter((record) => record.type === type).map(({ value }) => value)
    const isProven = values.length > 0 || authorities.some((record) => record.type === "SOA")
    return isProven ? Option.some(values) : Option.none()
  }
