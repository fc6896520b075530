import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { failedQuery, immediateQuery, type NoAnswer, type Query, runQuery } from "../../../src/dns/transport/Query.ts"
import type { Message } from "../../../src/dns/wire/Message.ts"
import { openServerSession } from "../../../src/dns/zone/NameServer.ts"
import { effect } from "../../support/effectTest.ts"

const answer: Message = { rcode: 0, aa: true, tc: false, ra: false, answers: [], authorities: [], additionals: [] }

/** What comes of questions asked one after the other, `address name`, where these are the ones that get an answer. */
const outcomes = (
  addresses: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  answered: ReadonlyArray<string>,
  { isOver = false, reason = "timed_out" }: { readonly isOver?: boolean; readonly reason?: NoAnswer["reason"] } = {}
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const client = {
      resolve: () => failedQuery("refused"),
      query:
        (address: string, { name }: { readonly name: string }): Query<Message> =>
        (over) => {
          asked.push(`${address} ${name}`)
          return (answered.includes(`${address} ${name}`) ? immediateQuery(Either.right(answer)) : failedQuery(reason))(
            over
          )
        }
    }
    const session = openServerSession(client, { name: "ns1.prov.net", addresses }, "example.com", () => isOver)
    const results = yield* Effect.forEach(names, (name) => Effect.either(runQuery(session.query({ name, type: "A" }))))
    return { asked, results: results.map((_) => (Either.isRight(_) ? "answered" : _.left.reason)) }
  })

describe("a session with a name server", () => {
  effect("goes on at the address that answered", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b"], ["two a", "two b"]), (seen) =>
      expect(seen).toEqual({ asked: ["one a", "two a", "two b"], results: ["answered", "answered"] })
    )
  )

  effect("asks no more of a server that never answered", () =>
    Effect.map(outcomes(["one", "two"], ["a", "b", "c"], []), (seen) =>
      expect(seen).toEqual({ asked: ["one a", "two a"], results: ["timed_out", "timed_out", "timed_out"] })
    )
  )

  effect("goes on with a server that answered before", () =>
    Effect.map(outcomes(["one"], ["a", "b", "c"], ["one a", "one c"]), (seen) =>
      expect(seen).toEqual({ asked: ["one a", "one b", "one c"], results: ["answered", "timed_out", "answered"] })
    )
  )

  effect("goes on with a server that at least refuses", () =>
    Effect.map(outcomes(["one"], ["a", "b"], ["one b"], { reason: "refused" }), (seen) =>
      expect(seen).toEqual({ asked: ["one a", "one b"], results: ["refused", "answered"] })
    )
  )

  effect("goes on with a server that the question did not reach in time", () =>
    Effect.map(outcomes(["one"], ["a", "b"], ["one b"], { reason: "busy" }), (seen) =>
      expect(seen).toEqual({ asked: ["one a", "one b"], results: ["busy", "answered"] })
    )
  )

  effect("asks nothing of a server without an address", () =>
    Effect.map(outcomes([], ["a"], []), (seen) =>
      expect(seen).toEqual({ asked: [], results: ["address_not_reachable"] })
    )
  )

  effect("asks nothing after its end", () =>
    Effect.map(outcomes(["one"], ["a"], ["one a"], { isOver: true }), (seen) =>
      expect(seen).toEqual({ asked: [], results: ["timed_out"] })
    )
  )
})
