import { expect } from "bun:test"
import { Effect } from "effect"
import { type DeclaredOperation, declaredOperations } from "../../support/documentedErrors.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { type ErrorCase, operations, sendAsCaller, sendTo, sendToApplication } from "../support/errorCases.ts"

/** How a fault is answered, wherever it is: status and code, and the pointer and the code of its only detail. */
type FaultAnswer = readonly [status: number, code: string, pointer?: string, detail?: string]

/** A fault, and the requests that have it: one or more to each operation where it is possible. */
interface EndpointFault {
  readonly title: string
  readonly requests: ReadonlyArray<
    readonly [operation: DeclaredOperation, send: ErrorCase["send"], answer: FaultAnswer]
  >
}

/** The requests to operations that have the same fault at the same place. */
const requestsTo = (
  to: ReadonlyArray<DeclaredOperation>,
  answer: FaultAnswer,
  send: (operation: DeclaredOperation) => ErrorCase["send"]
): EndpointFault["requests"] => to.map((operation) => [operation, send(operation), answer])

const withParameter = (name: string) => declaredOperations.filter(({ parameters }) => parameters.includes(name))

const withPath = (operation: DeclaredOperation, parameter: string, value: string) => ({
  ...operation,
  path: operation.path.replace(`{${parameter}}`, value)
})

/** The ids that the service assigns, each with the code of one that nothing has. */
const assignedIds = {
  connectionId: "not_found",
  endpointId: "webhook_endpoint_not_found",
  eventId: "webhook_delivery_not_found",
  keyId: "api_key_not_found",
  secretId: "ask_secret_not_found"
}

/** Sends a request that names a webhook endpoint which is there. */
const sendToEndpoint = (operation: DeclaredOperation) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const created = yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
    return yield* sendAsCaller(operation, { endpoint: created.headers.get("location") ?? "" })
  })

const invalid = (pointer: string, detail = "invalid"): FaultAnswer => [400, "invalid_request", pointer, detail]

const invalidHeaders: ReadonlyArray<readonly [name: string, value: string]> = [
  ["idempotency-key", "a b"],
  ["if-match", "3"],
  ["if-match", 'W/"3"'],
  ["if-match", `"${"3".repeat(1_000)}"`],
  ["if-none-match", "x".repeat(1_001)],
  ["last-event-id", "x".repeat(1_001)],
  ["prefer", "x".repeat(256)]
]

const withBody = operations.readingBody.filter(({ takesBody }) => takesBody)

const queryRequests = (
  value: string,
  answer: (name: string) => FaultAnswer,
  isExcepted: (name: string) => boolean = () => false
): EndpointFault["requests"] =>
  declaredOperations.flatMap((operation) =>
    operation.queryParameters
      .map((name) => (name === "metadata" ? "metadata[plan]" : name))
      .filter((name) => !isExcepted(name))
      .map((name) => {
        const query = `?${value.replaceAll("name", encodeURIComponent(name))}`
        return [operation, sendAsCaller(operation, { query }), answer(name)] as const
      })
  )

const faults: ReadonlyArray<EndpointFault> = [
  {
    title: "a path with a slash at its end",
    requests: requestsTo(operations.all, [404, "route_not_found"], (operation) =>
      sendAsCaller({ ...operation, path: `${operation.path}/` })
    )
  },
  {
    title: "a credential that has not the form of one",
    requests: requestsTo(
      [...operations.forKeys, ...operations.forAdministrators, ...operations.forWebServers],
      [401, "unauthenticated"],
      (operation) =>
        sendTo(operation, { headers: { "x-api-key": "hello", "x-admin-key": "hello" }, names: { askSecret: "hello" } })
    )
  },
  {
    title: "an id that is longer than any",
    requests: Object.keys(assignedIds).flatMap((name) =>
      requestsTo(
        withParameter(name).filter(({ path }) => path.includes(`{${name}}`)),
        invalid(`/${name}`),
        (operation) => sendAsCaller(withPath(operation, name, "x".repeat(201)))
      )
    )
  },
  {
    title: "an id that has not the form of one, which is not found like any other",
    requests: Object.entries(assignedIds).flatMap(([name, code]) =>
      requestsTo(
        withParameter(name).filter(({ path }) => path.includes(`{${name}}`)),
        [404, code],
        (operation) => (name === "eventId" ? sendToEndpoint : sendToApplication)(withPath(operation, name, "no%20id"))
      )
    )
  },
  {
    title: "what is not found, with a precondition",
    requests: [
      ["connectionId", "not_found"],
      ["endpointId", "webhook_endpoint_not_found"],
      ["applicationId", "application_not_found"]
    ].flatMap(([name = "", code = ""]) =>
      requestsTo(
        withParameter("if-match").filter(({ path }) =>
          name === "applicationId" ? path.endsWith(`{${name}}`) : path.includes(`{${name}}`)
        ),
        [404, code],
        (operation) =>
          (name === "applicationId" ? sendAsCaller : sendToApplication)(operation, { headers: { "if-match": '"1"' } })
      )
    )
  },
  {
    title: "a name that no application or tenant can have",
    requests: ["applicationId", "tenantId"].flatMap((name) =>
      requestsTo(
        withParameter(name).filter(({ path }) => path.includes(`{${name}}`)),
        invalid(`/${name}`),
        (operation) => sendAsCaller(withPath(operation, name, "my%20shop"))
      )
    )
  },
  {
    title: "a header that has not its form",
    requests: invalidHeaders.flatMap(([name, value]) =>
      requestsTo(withParameter(name), invalid(`/${name}`), (operation) =>
        sendToApplication(operation, { headers: { [name]: value } })
      )
    )
  },
  {
    title: "a query parameter that is given twice",
    requests: queryRequests("name=1&name=2", (name) => invalid(`/${name}`, "parameter_repeated"))
  },
  {
    title: "a query parameter that is too long",
    requests: queryRequests(`name=${"x".repeat(1_001)}`, (name) => invalid(`/${name}`))
  },
  {
    title: "an empty query parameter, but for a name of the DNS and a text of the platform",
    requests: queryRequests(
      "name=",
      (name) => invalid(`/${name}`),
      (name) => ["domain", "metadata[plan]"].includes(name)
    )
  },
  {
    title: "a body in another charset or coding",
    requests: [{ "content-type": "application/json; charset=latin1" }, { "content-encoding": "gzip" }].flatMap(
      (headers) =>
        requestsTo(operations.readingBody, [415, "unsupported_media_type"], (operation) =>
          sendAsCaller(operation, { body: "{}", headers })
        )
    )
  },
  {
    title: "a missing body",
    requests: requestsTo(withBody, [400, "malformed_json"], (operation) => sendToApplication(operation, { body: "" }))
  },
  {
    title: "a body that is no object",
    requests: ["null", "[]", '"text"', "1", "true"].flatMap((body) =>
      requestsTo(operations.readingBody, invalid(""), (operation) => sendToApplication(operation, { body }))
    )
  },
  {
    title: "a body that names a field twice",
    requests: requestsTo(operations.readingBody, invalid("/a", "duplicate_key"), (operation) =>
      sendToApplication(operation, { body: '{"a":1,"a":2}' })
    )
  },
  {
    title: "a field that the body has not, also where there is no body",
    requests: requestsTo(operations.readingBody, invalid("/unheardOf", "unknown_field"), (operation) =>
      sendToApplication(operation, { fields: { unheardOf: 1 } })
    )
  }
]

withLayer("one fault has one answer, wherever it is possible:", apiInMemory(), (live) => {
  for (const { requests, title } of faults)
    live(title, () =>
      Effect.gen(function* () {
        expect(requests.length).toBeGreaterThan(0)
        const answers: Array<ReadonlyArray<unknown>> = []
        for (const [{ id }, send] of requests) {
          const response = yield* send
          const { error } = response.status === 204 ? { error: {} } : yield* jsonOf(response)
          const details = (error?.details ?? []).map(({ code, pointer }: any) => [pointer, code])
          answers.push([id, response.status, error?.code, ...details])
        }
        expect(answers).toEqual(
          requests.map(([{ id }, , [status, code, pointer, detail]]) => [
            id,
            status,
            code,
            ...(pointer === undefined ? [] : [[pointer, detail]])
          ])
        )
      })
    )
})
