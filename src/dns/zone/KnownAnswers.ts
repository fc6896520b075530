import { Array, Context, Data, Duration, Effect, Either, Layer } from "effect"
import { isOutboundAllowed, type Network } from "../../domain/names/IpAddress.ts"
import { digestAnswer } from "./digestAnswer.ts"
import type { KeptAnswer } from "../../domain/connection/KeptAnswers.ts"
import { LruMap } from "../../limits/BoundedMap.ts"
import { maxDestinations } from "../../limits/Destination.ts"
import { makePacer, type Pacer } from "../../limits/Pacer.ts"
import { DnsClient } from "../transport/DnsClient.ts"
import { type Endpoint, makeStandardEndpoint } from "../transport/Endpoint.ts"
import { isUnreachable, makeFailedQuery, type Query, runQueries } from "../transport/Query.ts"
import { queryTogether } from "../transport/queryTogether.ts"
import { type Message, noError } from "../wire/Message.ts"
import { rrsetDataKeyOf } from "./ResponseIndex.ts"

/** An answer that a server of a zone gave before, and the requester that asks for it again (see `Requester`). */
export interface KnownAnswer extends KeptAnswer {
  readonly zone: string
  readonly requester: string
}

/** A server gave no answer to any question, not even when it was asked a second time. */
export class ServerSilent extends Data.TaggedError("ServerSilent")<{ readonly address: string }> {}

/** Asks servers again for answers that are known. */
export class KnownAnswers extends Context.Tag("dns/KnownAnswers")<
  KnownAnswers,
  {
    /**
     * Whether the server at an address still gives each of these answers, in their order. Questions without one are
     * asked a second time, as any other: over TCP too, and with EDNS. Then anything but the same answer is a no, and so
     * is what there was no time to ask a second time. Fails if the server is silent.
     */
    readonly areStillGiven: (
      address: string,
      known: ReadonlyArray<KnownAnswer>
    ) => Effect.Effect<ReadonlyArray<boolean>, ServerSilent>
  }
>() {
  static readonly layer = (settings: {
    readonly allowed: ReadonlyArray<Network>
    /** How many queries a second a server at one address gets from here. */
    readonly queriesPerSecond: number
    /** The endpoint of the server at an address; port 53. */
    readonly dial?: (address: string) => Endpoint
    /** For how long questions are asked a second time; 20 s. */
    readonly longestAgain?: Duration.DurationInput
  }) =>
    Layer.effect(
      KnownAnswers,
      Effect.map(DnsClient, (client) => {
        // The looks at other servers wait for it.
        const longestAgainMillis = Duration.toMillis(settings.longestAgain ?? "20 seconds")
        const pacers = new LruMap<string, Pacer>(maxDestinations)
        const pacerOf = (address: string) =>
          pacers.getOrMake(address, () => makePacer({ perSecond: settings.queriesPerSecond }))

        const askTogether = (address: string, questions: ReadonlyArray<KnownAnswer>) =>
          isOutboundAllowed(address, settings.allowed)
            ? Effect.async<ReadonlyArray<Message | undefined>>((resume) => {
                const group = {
                  server: (settings.dial ?? makeStandardEndpoint)(address),
                  questions,
                  pacer: pacerOf(address),
                  timeoutMillis
                }
                const stop = queryTogether(group, (answers) => resume(Effect.succeed(answers)))
                return Effect.sync(stop)
              })
            : Effect.succeed(questions.map(() => undefined))

        const askAgain = (address: string, questions: ReadonlyArray<KnownAnswer>, until: number) =>
          runQueries(
            questions.map(({ name, requester, type, zone }): Query<Message> => (onOutcome) => {
              const query =
                performance.now() < until
                  ? client.query(address, { name, type }, { zone, requester, trySpend: () => true })
                  : makeFailedQuery("timed_out")
              return query(onOutcome)
            }),
            () => maxAskedAgain
          )

        return {
          areStillGiven: (address, known) =>
            Effect.gen(function* () {
              const given = new Set<string>()
              const questions = [...new Map(known.map((answer) => [`${answer.name} ${answer.type}`, answer])).values()]
              const first = yield* askTogether(address, questions)
              questions.forEach((question, index) => {
                const message = first[index]
                if (message?.aa === true) given.add(keyOf({ ...question, digest: digestOf(message, question) }))
              })
              const open = questions.filter((_, index) => first[index]?.aa !== true)
              // A server that is silent would be waited for with each question.
              const probes = open.length < questions.length ? 0 : 1
              const until = performance.now() + longestAgainMillis
              const probed = yield* askAgain(address, open.slice(0, probes), until)
              const isProbeLost = probed.some((outcome) => Either.isLeft(outcome) && isUnreachable(outcome.left))
              if (isProbeLost && first.every((message) => message === undefined))
                return yield* new ServerSilent({ address })
              const second = probed.some(Either.isLeft) ? [] : yield* askAgain(address, open.slice(probes), until)
              Array.zip(open, [...probed, ...second]).forEach(([question, outcome]) => {
                if (Either.isRight(outcome))
                  given.add(keyOf({ ...question, digest: digestOf(outcome.right, question) }))
              })
              return known.map((answer) => given.has(keyOf(answer)))
            })
        }
      })
    )
}

/** The digest of the records that a response has for the name and type of a question; of none, where it denies them. */
const digestOf = ({ answers, rcode }: Message, { name, type }: KeptAnswer): string =>
  digestAnswer(
    rcode === noError ? rrsetDataKeyOf(answers.filter((record) => record.name === name && record.type === type)) : ""
  )

const keyOf = ({ digest, name, type }: KeptAnswer): string => `${name} ${type} ${digest}`

/** As long as other queries take before they go over to TCP. */
const timeoutMillis = 1_400

const maxAskedAgain = 4
