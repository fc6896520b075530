import { OpenApi } from "@effect/platform"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { ConnectionEventType, WebhookEventType } from "../../src/domain/webhook/WebhookEvent.ts"
import { Api } from "../../src/http/endpoints/Api.ts"
import { withLayer } from "../support/effectTest.ts"
import { issueKey, jsonOf, post, sampleIntent } from "../support/testApi.ts"
import { startReceiver } from "./Receiver.ts"
import { webhooksInMemory } from "./webhookServices.ts"

const document: any = OpenApi.fromApi(Api)

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "openapi")

/** What a body is not by the schema that the section `webhooks` of the OpenAPI document has for its type. */
const findFaults = (body: { readonly type: string }) => {
  const content = document.webhooks[body.type].post.requestBody.content["application/json"]
  const validate = ajv.compile({ $ref: `openapi${content.schema.$ref}` })
  return validate(body) ? [] : validate.errors
}

test("the data of every event of a connection is a schema with a name, which clients can generate a type from", () => {
  const unnamed = ConnectionEventType.literals.filter((type) => {
    const { $ref } = document.webhooks[type].post.requestBody.content["application/json"].schema
    return document.components.schemas[$ref.split("/").at(-1)].properties.data.$ref === undefined
  })
  expect(unnamed).toEqual([])
})

test("the example of every event has the type of that event, and fits its schema", () => {
  for (const type of WebhookEventType.literals) {
    const content = document.webhooks[type].post.requestBody.content["application/json"]
    expect(content.examples.example.$ref).toBe(`#/components/examples/webhook.${type}`)
    const { value } = document.components.examples[`webhook.${type}`]
    expect([value.type, findFaults(value)]).toEqual([type, []])
  }
})

withLayer("the section webhooks of the OpenAPI document", webhooksInMemory, (live) => {
  live("has a request for each type of event, with the headers that a delivery has", () =>
    Effect.gen(function* () {
      expect(Object.keys(document.webhooks)).toEqual([...WebhookEventType.literals])
      const { key } = yield* issueKey()
      const receiver = yield* startReceiver()
      const { endpoint } = yield* Effect.flatMap(post("/v1/webhook-endpoints", key, { url: receiver.url }), jsonOf)
      yield* post(`/v1/webhook-endpoints/${endpoint.id}/test`, key, "")
      const [delivery] = yield* receiver.awaitRequests(1)
      const { operationId, parameters } = document.webhooks["endpoint.test"].post
      expect(operationId).toBe("onEndpointTestWebhook")
      expect(Object.keys(delivery?.headers ?? {})).toEqual(
        expect.arrayContaining(parameters.map(({ name }: { readonly name: string }) => name))
      )
    })
  )

  live("describes what is delivered of connections and endpoints", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const receiver = yield* startReceiver()
      const gone = yield* startReceiver(() => new Response(undefined, { status: 410 }))
      yield* post("/v1/webhook-endpoints", key, { url: receiver.url })
      const eventTypes = ["endpoint.test"]
      const { endpoint } = yield* Effect.flatMap(
        post("/v1/webhook-endpoints", key, { url: gone.url, eventTypes }),
        jsonOf
      )
      const { connection } = yield* Effect.flatMap(post("/v1/connections", key, { intent: sampleIntent }), jsonOf)
      yield* post(`/v1/connections/${connection.id}/cancel`, key, "")
      yield* post(`/v1/webhook-endpoints/${endpoint.id}/test`, key, "")
      yield* gone.awaitRequests(1)
      yield* receiver.awaitRequests(3)
      const bodies = [...receiver.received, ...gone.received].map(({ body }) => body)
      expect(bodies.map(({ type }) => type).toSorted()).toEqual([
        "connection.canceled",
        "connection.created",
        "endpoint.paused",
        "endpoint.test"
      ])
      expect(bodies.flatMap(findFaults)).toEqual([])
      expect(findFaults({ type: "connection.active" })).not.toEqual([])
    })
  )
})
