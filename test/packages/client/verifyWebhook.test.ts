import { InvalidWebhook, verifyWebhook } from "@domain-connection/client"
import { describe, expect, test } from "bun:test"
import { Effect, FastCheck } from "effect"
import { Webhook } from "standardwebhooks"
import { withLayer } from "../../support/effectTest.ts"
import { issueKey, jsonOf, post, sampleIntent } from "../../support/testApi.ts"
import { eventually, startReceiver } from "../../webhooks/Receiver.ts"
import { webhooksInMemory } from "../../webhooks/webhookServices.ts"

const secret = `whsec_${btoa("a secret of at least 24 bytes")}`
const otherSecret = `whsec_${btoa("another secret of 24 bytes at least")}`
const payload = '{"type":"endpoint.test","timestamp":"2026-01-31T09:30:05.000Z","data":{"endpoint":{}}}'

/** The headers with which Standard Webhooks' own library signs. */
const sign = (body: string, { at = new Date(), by = [secret], id = "evt_1" } = {}) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
  "webhook-signature": by.map((each) => new Webhook(each).sign(id, at, body)).join(" ")
})

const faultOf = (...request: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(...request).then(
    () => "it verified",
    (reason: unknown) => (reason instanceof InvalidWebhook ? reason.fault : reason)
  )

const errorOf = (body: any, secret: any, headers: any = sign("{}")) =>
  verifyWebhook(body, headers, secret).catch((error: unknown) => String(error))

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)

describe("a webhook", () => {
  test("that its endpoint's secret signed is returned as its event", async () => {
    expect(await verifyWebhook(payload, sign(payload), secret)).toEqual(JSON.parse(payload))
  })

  test("may come with the headers of fetch or of Node, in any case, and as bytes", async () => {
    const headers = sign(payload)
    const ofNode = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    const bytes = new TextEncoder().encode(payload)
    expect(await faultOf(payload, new Headers(headers), secret)).toBe("it verified")
    expect(await faultOf(bytes, ofNode, secret)).toBe("it verified")
    expect(await faultOf(payload, headers, secret.slice("whsec_".length))).toBe("it verified")
  })

  test("with two signatures is verified by either secret while it is rotated", async () => {
    const headers = sign(payload, { by: [otherSecret, secret] })
    expect(await faultOf(payload, headers, secret)).toBe("it verified")
    expect(await faultOf(payload, headers, otherSecret)).toBe("it verified")
  })

  test("is refused if it is older, or younger, than five minutes", async () => {
    const faults = [-6, -4, 4, 6].map((minutes) =>
      faultOf(payload, sign(payload, { at: minutesFromNow(minutes) }), secret)
    )
    const outside = "timestamp_outside_tolerance"
    expect(await Promise.all(faults)).toEqual([outside, "it verified", "it verified", outside])
  })

  test("is refused if its secret, its id, its time or its body is another one", async () => {
    const headers = sign(payload)
    expect(await faultOf(payload, headers, otherSecret)).toBe("signature_wrong")
    expect(await faultOf(`${payload} `, headers, secret)).toBe("signature_wrong")
    expect(await faultOf(payload, { ...headers, "webhook-id": "evt_2" }, secret)).toBe("signature_wrong")
    const later = String(Number(headers["webhook-timestamp"]) + 1)
    expect(await faultOf(payload, { ...headers, "webhook-timestamp": later }, secret)).toBe("signature_wrong")
  })

  test("is refused without one of its headers, or with a signature of another version", async () => {
    const headers = sign(payload)
    for (const name of Object.keys(headers))
      expect(await faultOf(payload, { ...headers, [name]: undefined }, secret)).toBe("headers_missing")
    for (const signature of ["v1a", "v1,", "v1,***", headers["webhook-signature"].replace("v1,", "v2,")])
      expect(await faultOf(payload, { ...headers, "webhook-signature": signature }, secret)).toBe("signature_wrong")
    expect(await faultOf(payload, { ...headers, "webhook-timestamp": "soon" }, secret)).toBe(
      "timestamp_outside_tolerance"
    )
  })

  test("that is signed and no JSON is refused, and a secret that is none is an error of the caller", async () => {
    expect(await faultOf("hello", sign("hello"), secret)).toBe("body_not_json")
    expect(await faultOf(payload, sign(payload), "whsec_")).toBeInstanceOf(TypeError)
    expect(await faultOf(payload, sign(payload), "päss")).toBeInstanceOf(TypeError)
  })

  test("whose secret is missing or whose body is parsed is an error that says so, and what to pass", async () => {
    for (const missing of [undefined, null, "", " "])
      expect(await errorOf(payload, missing)).toMatch(/^TypeError: the secret is missing: .*WEBHOOK_SECRET/)
    for (const parsed of [JSON.parse(payload), [], 1, true])
      expect(await errorOf(parsed, secret)).toMatch(/^TypeError: the body is parsed already: .*request\.text\(\)/)
    for (const unread of [new Request("http://service/", { method: "POST", body: payload }), new Blob([]).stream()])
      expect(await errorOf(unread, secret)).toMatch(/^TypeError: the body has not been read: .*request\.text\(\)/)
    expect(await errorOf(Promise.resolve(payload), secret)).toMatch(/^TypeError: the body is a Promise/)
    for (const wrong of [1, [secret], "dck_test_key", "undefined"])
      expect(await errorOf(payload, wrong)).toMatch(/^TypeError: the secret is not one of an endpoint/)
    for (const headers of [null, "webhook-id", [["webhook-id", "1"]]])
      expect(await errorOf(payload, secret, headers)).toMatch(/^TypeError: the headers must be those of the request/)
    expect(await faultOf(new TextEncoder().encode(payload).buffer, sign(payload), ` ${secret}\n`)).toBe("it verified")
    for (const none of [undefined, null])
      expect(await errorOf(none, secret)).toMatch(/^TypeError: the body is missing: .*request\.text\(\)/)
  })

  test("of any content is verified as the library of Standard Webhooks signs it", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.json({ noUnicodeString: false }), async (text) => {
        expect(await faultOf(text, sign(text), secret)).toBe("it verified")
      })
    ))
})

withLayer("a delivery of the service", webhooksInMemory, (live) => {
  live("is verified by its endpoint's secret, also by the former one after a rotation", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const receiver = yield* startReceiver()
      const created = yield* Effect.flatMap(post("/v1/webhook-endpoints", key, { url: receiver.url }), jsonOf)
      const rotated = yield* Effect.flatMap(
        post(`/v1/webhook-endpoints/${created.endpoint.id}/secret`, key, ""),
        jsonOf
      )
      const { connection } = yield* Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent }), jsonOf)
      const [first] = yield* receiver.awaitRequests(1)
      const { headers, text } = yield* eventually(
        first === undefined ? Effect.fail("nothing came") : Effect.succeed(first)
      )
      for (const { secret } of [created, rotated]) {
        const event = yield* Effect.promise(() => verifyWebhook(text, headers, secret))
        expect(event.type === "connection.created" && event.data.connection.id).toBe(connection.id)
      }
    })
  )
})
