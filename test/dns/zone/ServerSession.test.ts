import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import type { QueryPurpose } from "../../../src/dns/transport/DnsClient.ts"
import {
  makeFailedQuery,
  makeImmediateQuery,
  type NoAnswer,
  type Query,
  runQuery
} from "../../../src/dns/transport/Query.ts"
import type { Message } from "../../../src/dns/wire/Message.ts"
import { openServerSession } from "../../../src/dns/zone/ServerSession.ts"
import { makeSurveyBudget } from "../../../src/dns/zone/SurveyBudget.ts"
import { effect } from "../../support/effectTest.ts"

const answer: Message = { rcode: 0, aa: true, tc: false, ra: false, answers: [], authorities: [], additionals: [] }

/** The results of queries sent one after the other; those in `answered`, as `address name`, get an answer. */
const outcomes = (
  addresses: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  answered: ReadonlyArray<string>,
  options: {
    readonly isOver?: boolean
    readonly reason?: NoAnswer["reason"]
    readonly perKey?: number
    readonly inAll?: number
    /** Whether each query has to be sent a second time. */
    readonly isRepeated?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const { inAll = 100, isOver = false, isRepeated = false, perKey = 100, reason = "timed_out" } = options
    const sent: Array<string> = []
    const client = {
      resolve: () => makeFailedQuery("refused"),
      query:
        (address: string, { name }: { readonly name: string }, { trySpend }: QueryPurpose): Query<Message> =>
        (onOutcome) => {
          sent.push(`${address} ${name}`)
          if (isRepeated && trySpend()) sent.push(`${address} ${name} again`)
          return (
            answered.includes(`${address} ${name}`) ? makeImmediateQuery(Either.right(answer)) : makeFailedQuery(reason)
          )(onOutcome)
        }
    }
    const session = openServerSession(
      client,
      { name: "ns1.prov.net", addresses },
      {
        zone: "example.com",
        requester: "app/tenant",
        isOver: () => isOver,
        budget: makeSurveyBudget({ inAll, perKey }, { tryKeep: () => true, isSpent: () => false })
      }
    )
    const results = yield* Effect.forEach(names, (name) => Effect.either(runQuery(session.query({ name, type: "A" }))))
    return { sent, results: results.map((_) => (Either.isRight(_) ? "answered" : _.left.reason)) }
  })

describe("a session with a name server", () => {
  effect("continues at the address that answered", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b"], ["two a", "two b"]), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "two a", "two b"], results: ["answered", "answered"] })
    )
  )

  effect("stops querying a server that never answered", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b", "c"], []), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "two a"], results: ["timed_out", "timed_out", "timed_out"] })
    )
  )

  effect("continues with a server that answered before", () =>
    Effect.map(outcomes(["one"], ["a", "b", "c"], ["one a", "one c"]), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "one b", "one c"], results: ["answered", "timed_out", "answered"] })
    )
  )

  for (const reason of ["refused", "format_error", "lame"] as const)
    effect(`stops using an address that answers a question with: ${reason}`, () =>
      Effect.map(outcomes(["one", "two"], ["a", "b", "c"], ["one a", "two b", "two c"], { reason }), (outcome) =>
        expect(outcome).toEqual({
          sent: ["one a", "one b", "two b", "two c"],
          results: ["answered", "answered", "answered"]
        })
      )
    )

  effect("stops querying a server all of whose addresses refuse", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b", "c"], ["one a"], { reason: "refused" }), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "one b", "two b"], results: ["answered", "refused", "refused"] })
    )
  )

  effect("continues with a server that fails for some questions, and stops after 32 failures in a row", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 60 }, (_, nth) => `q${nth}`)
      const { results, sent } = yield* outcomes(["one"], names, ["one q20"], { reason: "server_failure" })
      expect(results).toEqual(names.map((name) => (name === "q20" ? "answered" : "server_failure")))
      expect(sent).toEqual(names.slice(0, 20 + 1 + 32).map((name) => `one ${name}`))
    })
  )

  effect("sends no more queries to an address than its budget has", () =>
    Effect.map(outcomes(["one"], ["a", "b", "c"], ["one a", "one b", "one c"], { perKey: 2 }), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "one b"], results: ["answered", "answered", "budget_spent"] })
    )
  )

  effect("sends no more queries to an address than its budget allows, repetitions included", () =>
    Effect.map(outcomes(["one"], ["a", "b"], ["one a", "one b"], { perKey: 3, isRepeated: true }), ({ sent }) =>
      expect(sent).toEqual(["one a", "one a again", "one b"])
    )
  )

  effect("sends no more queries than the survey has left, to whichever address", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b"], [], { inAll: 3, reason: "server_failure" }), (outcome) =>
      expect(outcome.sent).toEqual(["one a", "two a", "one b"])
    )
  )

  effect("continues with a server if the query was not sent in time", () =>
    Effect.map(outcomes(["one"], ["a", "b"], ["one b"], { reason: "busy" }), (outcome) =>
      expect(outcome).toEqual({ sent: ["one a", "one b"], results: ["busy", "answered"] })
    )
  )

  effect("sends nothing to a server without an address", () =>
    Effect.map(outcomes([], ["a"], []), (outcome) =>
      expect(outcome).toEqual({ sent: [], results: ["address_not_reachable"] })
    )
  )

  effect("sends nothing after its end", () =>
    Effect.map(outcomes(["one"], ["a"], ["one a"], { isOver: true }), (outcome) =>
      expect(outcome).toEqual({ sent: [], results: ["timed_out"] })
    )
  )
})
