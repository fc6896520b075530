import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { effect } from "../../support/effectTest.ts"
import type { TokenRequest, TokenServer } from "../../support/vendors/TokenServer.ts"
import type { VendorAnswer } from "../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"
import { sendWrites } from "./AdapterUnderTest.ts"
import { createChange, type DescribedAdapter, makeFakeOf, openAt, recordAt, recordsIn } from "./DescribedAdapter.ts"

/** What is the vendor's own about the exchange of a credential for tokens. */
interface TokenExchange {
  /** The parameter of a request that is secret, or signed by what is. */
  readonly secret: string
  /** What a request asks for, and what it has to ask for. */
  readonly requested: (request: TokenRequest) => unknown
  readonly expected: unknown
  /** Refusals in the words of the vendor, besides those of all. */
  readonly refusals: ReadonlyArray<readonly [answer: VendorAnswer, code: ProviderFailureCode]>
  /** With these, no token can be requested. */
  readonly unusable: ReadonlyArray<Credential>
}

/** What every server of tokens may answer. */
const refusalsOfAll: TokenExchange["refusals"] = [
  [{ status: 401, body: { error: "invalid_client" } }, "credential_invalid"],
  [{ status: 429, body: {} }, "provider_rate_limited"],
  [{ status: 503, body: {} }, "provider_unavailable"],
  [{ status: 200, body: { access_token: "x", token_type: "mac", expires_in: 60 } }, "provider_unavailable"],
  [{ status: 200, text: "<html>Maintenance</html>" }, "provider_unavailable"]
]

/** Declares how an adapter exchanges the credential of a customer for tokens. */
export const testTokens = <Data>(described: DescribedAdapter<Data>, exchange: TokenExchange): void =>
  describeIfPossible(`a token for ${described.name}`, missingVendorData, () => {
    const { expected, refusals, requested, secret, unusable } = exchange
    const { tokens } = described
    if (tokens === undefined) throw new Error(`${described.name} has no server of tokens`)
    const watch = () => watchTokens(described, tokens)

    effect("is requested once, with the least scope, and again before it ends", () =>
      Effect.gen(function* () {
        const { adapter, requests } = watch()
        const opened = yield* openAt(adapter, yield* makeFakeOf(adapter))
        yield* opened.read
        expect(requests().map(requested)).toEqual([expected])
        yield* TestClock.adjust("57 minutes")
        yield* opened.read
        expect(requests()).toHaveLength(1)
        yield* TestClock.adjust("2 minutes")
        yield* opened.read
        expect(requests()).toHaveLength(2)
      })
    )

    effect("that is not given says why, and nothing that is secret", () =>
      Effect.gen(function* () {
        for (const [answer, code] of [...refusalsOfAll, ...refusals]) {
          const { adapter, answerBy, requests } = watch()
          const fake = yield* makeFakeOf(adapter)
          answerBy(({ form }) =>
            "body" in answer ? { ...answer, body: { ...Object(answer.body), said: form.get(secret) } } : answer
          )
          const failure = yield* Effect.flip(openAt(adapter, fake))
          expect([answer, failure.code]).toEqual([answer, code])
          expect(failure.detail).not.toContain(String(requests()[0]?.form.get(secret)).slice(0, 8))
          expect(fake.calls()).toEqual([])
        }
      })
    )

    effect("is not shown by a failure of a call, whatever the answer repeats", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(described)
        fake.injectFault({}, { change: "not_made", answer: { status: 400, text: `you sent Bearer ${tokens.token}` } })
        const { detail } = yield* Effect.flip(openAt(described, fake))
        expect(detail).toContain("you sent Bearer ***")
      })
    )

    effect("that cannot be renewed before a write leaves the zone as it is", () =>
      Effect.gen(function* () {
        const { adapter, answerBy } = watch()
        const fake = yield* makeFakeOf(adapter)
        const opened = yield* openAt(adapter, fake)
        const snapshot = yield* opened.read
        const before = recordsIn(fake)
        yield* TestClock.adjust("1 hour")
        answerBy(() => ({ status: 400, body: { error: "invalid_grant" } }))
        const changes = [createChange(recordAt("new", "A", "192.0.2.1"))]
        expect(yield* Effect.flip(sendWrites(snapshot, changes, opened))).toMatchObject({ code: "credential_invalid" })
        expect(recordsIn(fake)).toEqual(before)
      })
    )

    effect("is not requested with a credential that is none", () =>
      Effect.gen(function* () {
        const { adapter, requests } = watch()
        const fake = yield* makeFakeOf(adapter)
        for (const credential of unusable) {
          const failure = yield* Effect.flip(openAt(adapter, fake, { credential }))
          expect(failure).toMatchObject({ code: "credential_invalid", isLocal: true })
        }
        expect(requests()).toEqual([])
      })
    )
  })

/** The adapter with a server of tokens that keeps the requests, and answers them in another way if told so. */
const watchTokens = <Data>(adapter: DescribedAdapter<Data>, server: TokenServer) => {
  let requests: ReadonlyArray<TokenRequest> = []
  let instead: ((request: TokenRequest) => VendorAnswer) | undefined
  const tokens: TokenServer = {
    ...server,
    react: async (received) => {
      const request = { path: received.target, form: new URLSearchParams(received.text) }
      requests = [...requests, request]
      return instead?.(request) ?? server.react(received)
    }
  }
  return {
    adapter: { ...adapter, tokens },
    requests: () => requests,
    answerBy: (answer: typeof instead) => {
      instead = answer
    }
  }
}
