import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { effect } from "../../../support/effectTest.ts"
import type { TokenServer } from "../../../support/vendors/TokenServer.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { sendWrites } from "../AdapterUnderTest.ts"
import { createChange, makeFakeOf, openAt, recordAt, recordsIn } from "../DescribedAdapter.ts"
import { googleCloudDns } from "./googleCloudDns.ts"
import { googleTokens, keyFile, serviceAccount, validToken } from "./googleTokens.ts"

/** A server of tokens that counts the requests, and answers them in another way if told so. */
const makeTokens = () => {
  let asked: ReadonlyArray<URLSearchParams> = []
  let instead: ((form: URLSearchParams) => VendorAnswer) | undefined
  const tokens: TokenServer = {
    ...googleTokens,
    react: async (request) => {
      const form = new URLSearchParams(request.text)
      asked = [...asked, form]
      return instead?.(form) ?? googleTokens.react(request)
    }
  }
  return {
    adapter: { ...googleCloudDns, tokens },
    asked: () => asked,
    answer: (answer: typeof instead) => {
      instead = answer
    }
  }
}

const refusal = (status: number, body: object): VendorAnswer => ({ status, body })

describeIfPossible("a token of Google", missingVendorData, () => {
  effect("is requested once, with the scope of records only, and again before it ends", () =>
    Effect.gen(function* () {
      const { adapter, asked } = makeTokens()
      const fake = yield* makeFakeOf(adapter)
      const opened = yield* openAt(adapter, fake)
      yield* opened.read
      expect(asked()).toHaveLength(1)
      const claims = JSON.parse(Buffer.from(asked()[0]?.get("assertion")?.split(".")[1] ?? "", "base64url").toString())
      expect(claims).toMatchObject({
        iss: keyFile.client_email,
        scope: "https://www.googleapis.com/auth/ndev.clouddns.readwrite"
      })
      yield* TestClock.adjust("57 minutes")
      yield* opened.read
      expect(asked()).toHaveLength(1)
      yield* TestClock.adjust("2 minutes")
      yield* opened.read
      expect(asked()).toHaveLength(2)
    })
  )

  effect("that Google does not give says why, and nothing that is secret", () =>
    Effect.gen(function* () {
      for (const [answer, code] of [
        [refusal(400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }), "credential_invalid"],
        [refusal(401, { error: "invalid_client" }), "credential_invalid"],
        [
          refusal(400, { error: "invalid_grant", error_description: "in a reasonable timeframe" }),
          "provider_unavailable"
        ],
        [refusal(429, {}), "provider_rate_limited"],
        [refusal(503, {}), "provider_unavailable"],
        [refusal(200, { access_token: "x", token_type: "mac", expires_in: 60 }), "provider_unavailable"],
        [{ status: 200, text: "<html>Maintenance</html>" }, "provider_unavailable"]
      ] as const) {
        const { adapter, answer: answerBy } = makeTokens()
        const fake = yield* makeFakeOf(adapter)
        answerBy((form) =>
          "body" in answer ? { ...answer, body: { ...Object(answer.body), said: form.get("assertion") } } : answer
        )
        const failure = yield* Effect.flip(openAt(adapter, fake))
        expect([answer, failure.code]).toEqual([answer, code])
        expect(failure.detail).not.toMatch(/eyJ/)
        expect(fake.calls()).toEqual([])
      }
    })
  )

  effect("is not shown by a failure of a call, whatever the answer repeats", () =>
    Effect.gen(function* () {
      const { adapter } = makeTokens()
      const fake = yield* makeFakeOf(adapter)
      const answer = { status: 400, text: `you sent Bearer ${validToken}` }
      fake.injectFault({}, { change: "not_made", answer })
      const { detail } = yield* Effect.flip(openAt(adapter, fake))
      expect(detail).toContain("you sent Bearer ***")
    })
  )

  effect("that cannot be renewed before a write leaves the zone as it is", () =>
    Effect.gen(function* () {
      const { adapter, answer } = makeTokens()
      const fake = yield* makeFakeOf(adapter)
      const opened = yield* openAt(adapter, fake)
      const snapshot = yield* opened.read
      const before = recordsIn(fake)
      yield* TestClock.adjust("1 hour")
      answer(() => refusal(400, { error: "invalid_grant" }))
      const changes = [createChange(recordAt("new", "A", "192.0.2.1"))]
      expect(yield* Effect.flip(sendWrites(snapshot, changes, opened))).toMatchObject({ code: "credential_invalid" })
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  effect("is not requested with a key that is none", () =>
    Effect.gen(function* () {
      const { adapter, asked } = makeTokens()
      const fake = yield* makeFakeOf(adapter)
      for (const file of [
        { ...keyFile, private_key: "no key" },
        { ...keyFile, type: "authorized_user" }
      ]) {
        const failure = yield* Effect.flip(openAt(adapter, fake, { credential: serviceAccount(file) }))
        expect(failure).toMatchObject({ code: "credential_invalid", isLocal: true })
      }
      expect(asked()).toEqual([])
    })
  )
})
