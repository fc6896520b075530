import { Effect } from "effect"
import { WebhookEventType } from "../src/domain/webhook/WebhookEvent.ts"
import { eventually, startReceiver } from "../test/webhooks/Receiver.ts"
import { signInToTestMode } from "./exampleService.ts"

const records = [{ host: "shop", type: "CNAME", value: "shops.platform.com" }]

const url = "https://shop-builder.example/webhooks"

const shop = (values: ReadonlyArray<string>) => ({ records: [{ host: "shop", type: "CNAME", values }] })

/** What a receiver gets of connections in test mode: the first body of each type of event. */
export const collectWebhookExamples = Effect.gen(function* () {
  const bakery = yield* signInToTestMode("bakery")
  const florist = yield* signInToTestMode("florist")
  const receiver = yield* startReceiver()
  const gone = yield* startReceiver(() => new Response(undefined, { status: 410 }))

  const bodyOf = (type: WebhookEventType) =>
    receiver.received.map(({ body }) => body).find((body) => body.type === type)
  const waitForEvent = (type: WebhookEventType) =>
    eventually(Effect.suspend(() => (bodyOf(type) === undefined ? Effect.fail(`no ${type} came`) : Effect.void)))

  const createEndpoint = (settings: object) =>
    Effect.map(bakery.send("/v1/webhook-endpoints", 201, { body: settings }), ({ endpoint }) => endpoint.id)
  const post = (path: string, body: unknown = "") => bakery.send(path, 200, { method: "POST", body })
  const connect = (caller: typeof bakery, domain: string) =>
    Effect.map(
      caller.send("/v1/connections", 201, { body: { intent: { domain, records } }, headers: { prefer: "wait=20" } }),
      ({ connection }) => connection.id
    )
  const test = (id: string, call: string, body: object) => post(`/v1/test/connections/${id}/${call}`, body)
  const authorizeAndApprove = (id: string, state: string) =>
    Effect.gen(function* () {
      const path = `/v1/connections/${id}`
      yield* post(`${path}/authorization`, {
        method: "direct_credential",
        credential: { kind: "api_token", apiToken: "token-of-the-customer" }
      })
      const { plan } = (yield* bakery.waitForState(path, "planned")).connection
      yield* post(`${path}/approval`, { digest: plan.digest, acknowledge: plan.warnings })
      yield* bakery.waitForState(path, state)
    })

  const endpointId = yield* createEndpoint({ url: receiver.url })
  yield* post(`/v1/webhook-endpoints/${endpointId}/test`)
  const former = yield* createEndpoint({ url: gone.url, eventTypes: ["endpoint.test"] })
  yield* post(`/v1/webhook-endpoints/${former}/test`)

  const id = yield* connect(bakery, "bakery-one-click.test")
  yield* authorizeAndApprove(id, "active")
  yield* test(id, "change-records", shop([]))
  yield* bakery.waitForState(`/v1/connections/${id}`, "degraded")
  yield* test(id, "change-records", shop(["shops.platform.com"]))
  yield* bakery.waitForState(`/v1/connections/${id}`, "active")

  const contender = yield* connect(florist, "bakery-one-click.test")
  yield* waitForEvent("connection.contested")
  yield* florist.send(`/v1/connections/${contender}/cancel`, 200, { method: "POST", body: "" })

  yield* connect(bakery, "bakery-not-registered.test")
  const expired = yield* connect(bakery, "bakery-by-hand.test")
  yield* post(`/v1/connections/${expired}/authorization`, { method: "manual" })
  yield* test(expired, "advance", { seconds: 86_400 })
  yield* waitForEvent("connection.setup_incomplete")
  yield* test(expired, "advance", { seconds: 31_536_000 })

  yield* post(`/v1/connections/${id}/disconnect`)
  yield* authorizeAndApprove(id, "disconnected")
  yield* waitForEvent("connection.disconnected")
  yield* bakery.open(`/v1/connections/${id}`, { method: "DELETE" })

  yield* Effect.forEach(WebhookEventType.literals, waitForEvent)
  const bodies = WebhookEventType.literals.map((type) => [`webhook.${type}`, bodyOf(type)])
  const text = JSON.stringify(Object.fromEntries(bodies))
  return JSON.parse(text.replaceAll(receiver.url, url).replaceAll(gone.url, `${url}-of-last-year`))
})
