import { type HttpClient, HttpClientRequest } from "@effect/platform"
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { live } from "../effectTest.ts"
import { exampleVendor, type Note } from "./exampleVendor.ts"
import { type FakeVendor, type FakeVendorSpec, makeFakeVendor, vendorFaults } from "./FakeVendor.ts"
import { httpClientFor } from "./httpClientFor.ts"
import { httpClientWithin } from "./httpClientWithin.ts"
import { matchOperation } from "./matchOperation.ts"

const { baseUrl } = exampleVendor

/** The status and the body of an answer, or what came instead. */
const send = (fake: FakeVendor<any>, request: HttpClientRequest.HttpClientRequest, token = "right") =>
  sendBy(httpClientFor(fake), request, token)

const sendBy = (http: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest, token = "right") =>
  http.execute(HttpClientRequest.bearerToken(request, token)).pipe(
    Effect.flatMap((response) =>
      Effect.map(response.text, (text) => (text === "" ? `${response.status}` : `${response.status} ${text}`))
    ),
    Effect.timeoutTo({ duration: "3 seconds", onTimeout: () => "no answer", onSuccess: (answer) => answer }),
    Effect.catchTag("RequestError", () => Effect.succeed("cut"))
  )

const create = (text: unknown) => HttpClientRequest.bodyUnsafeJson(HttpClientRequest.post(`${baseUrl}/notes`), { text })
const get = (path: string) => HttpClientRequest.get(baseUrl + path)
const list = get("/notes")
const texts = (fake: FakeVendor<ReadonlyArray<Note>>) => fake.state().map(({ text }) => text)

/** A whole test: a fake, one request, and the end of the fake. */
const run = <S>(spec: FakeVendorSpec<S>, request: HttpClientRequest.HttpClientRequest) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(makeFakeVendor(spec), (fake) => send(fake, request))))

live("answers at the vendor's own address, keeps what is written, and logs the calls without credentials", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeVendor(exampleVendor)
    expect(yield* send(fake, create("second"))).toBe('201 {"id":2,"text":"second"}')
    expect(yield* send(fake, list)).toBe('200 {"notes":[{"id":1,"text":"first"},{"id":2,"text":"second"}]}')
    expect(yield* send(fake, HttpClientRequest.del(`${baseUrl}/notes/1`))).toBe("204")
    expect(texts(fake)).toEqual(["second"])
    expect(fake.calls()[0]).toEqual({
      number: 1,
      method: "POST",
      path: "/notes",
      operation: "POST /notes",
      isWrite: true,
      query: "",
      body: { text: "second" },
      now: Date.UTC(2026, 0, 1),
      outcome: 201
    })
    expect(JSON.stringify(fake.calls())).not.toContain("right")
  })
)

live("refuses a caller without the credential, and changes nothing", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeVendor(exampleVendor)
    expect(yield* send(fake, create("second"), "wrong")).toBe("401")
    expect(texts(fake)).toEqual(["first"])
  })
)

describe("what the document does not allow", () => {
  live("is refused in a request, and reported", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeVendor(exampleVendor)
      expect(yield* send(fake, create(1))).toContain("422 body: /text must be string")
      expect(yield* send(fake, get("/nowhere"))).toContain("404 ")
      expect(texts(fake)).toEqual(["first"])
      expect(fake.takeViolations().map((violation) => violation.replace(/ \(.*/, ""))).toEqual([
        "call 1, POST /notes: body: /text must be string",
        "call 1, POST /notes: the document has no answer with status 422",
        "call 2, GET /nowhere: the fake has no such operation"
      ])
    })
  )

  test("fails the test at its end, in a request and in an answer of the fake itself", async () => {
    expect(await run(exampleVendor, list)).toStartWith("200")
    await expect(run(exampleVendor, create(1))).rejects.toThrow("call 1, POST /notes: body: /text must be string")
    await expect(run(exampleVendor, get("/notes/1"))).rejects.toThrow(
      "call 1, GET /notes/1: answer 200: /text must be string"
    )
  })

  test("is an operation that the document lacks, when the fake starts", async () => {
    const spec = { ...exampleVendor, operations: { "PUT /notes": () => ({ status: 200 }) } }
    await expect(run(spec, list)).rejects.toThrow('operation "PUT /notes"')
  })
})

const throwing = () => {
  throw new Error("not thought of")
}

test("an operation that throws fails the test", async () => {
  await expect(run({ ...exampleVendor, operations: { "GET /notes": throwing } }, list)).rejects.toThrow(
    "call 1, GET /notes: the fake failed: Error: not thought of"
  )
})

describe("a fault", () => {
  const expected: Readonly<Record<string, readonly [answer: string, notes: ReadonlyArray<string>]>> = {
    "no answer, nothing done": ["no answer", ["first", "a", "c"]],
    "no answer, but done": ["no answer", ["first", "a", "b", "c"]],
    "cut, nothing done": ["cut", ["first", "a", "c"]],
    "cut, but done": ["cut", ["first", "a", "b", "c"]],
    "500, nothing done": ["500", ["first", "a", "c"]],
    "500, but done": ["500", ["first", "a", "b", "c"]],
    "a redirect, nothing done": ["302", ["first", "a", "c"]],
    "a page of HTML, nothing done": ["200 <html><body>Maintenance</body></html>", ["first", "a", "c"]]
  }
  const ways = [
    { about: "", isServed: true, connect: httpClientFor },
    { about: ", without a server", isServed: false, connect: httpClientWithin }
  ]
  const cases = Object.entries(vendorFaults).flatMap(([name, fault]) => ways.map((way) => ({ name, fault, ...way })))
  for (const { about, connect, fault, isServed, name } of cases)
    live(`at the second write: ${name}${about}`, () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeVendor(exampleVendor, { isServed })
        fake.injectFault({ operation: "POST /notes", nth: 2 }, fault)
        const http = connect(fake)
        const answers = yield* Effect.forEach([create("a"), create("b"), list, create("c")], (request) =>
          sendBy(http, request)
        )
        expect<unknown>([answers[1], texts(fake)]).toEqual(expected[name])
        expect(answers.filter((_, index) => index !== 1).every((answer) => answer.startsWith("20"))).toBe(true)
      })
    )

  live("lasts until it is healed, and may be any answer", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeVendor(exampleVendor)
      fake.injectFault({ method: "GET" }, { change: "not_made", answer: { status: 429, text: "<busy>" } })
      expect(yield* send(fake, list)).toBe("429 <busy>")
      expect(yield* send(fake, list)).toBe("429 <busy>")
      fake.heal()
      expect(yield* send(fake, list)).toStartWith("200")
    })
  )
})

live("another client can change the state just before a call takes effect", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeVendor(exampleVendor)
    fake.beforeCall({ operation: "GET /notes", nth: 2 }, () => fake.update(() => []))
    expect(yield* send(fake, list)).toContain("first")
    expect(yield* send(fake, list)).toBe('200 {"notes":[]}')
  })
)

live("a list lags behind by the fake's clock, and other calls do not", () =>
  Effect.gen(function* () {
    const fake = yield* makeFakeVendor(exampleVendor)
    fake.setListLag("3 seconds")
    yield* send(fake, create("second"))
    fake.advance("2 seconds")
    yield* send(fake, create("third"))
    fake.advance("999 millis")
    expect(yield* send(fake, list)).toBe('200 {"notes":[{"id":1,"text":"first"}]}')
    fake.advance("1 millis")
    expect(yield* send(fake, list)).not.toContain("third")
    fake.advance("2 seconds")
    expect(yield* send(fake, list)).toContain("third")
    expect(texts(fake)).toEqual(["first", "second", "third"])
  })
)

test("a path matches with its parameters decoded, and a fixed part before a parameter", () => {
  const operations = ["GET /a/{id}", "GET /a/export", "POST /a/{id}/b.c/{name}"]
  expect(matchOperation(operations, "GET", "/a/export")?.operation).toBe("GET /a/export")
  expect(matchOperation(operations, "GET", "/a/1/b")).toBeUndefined()
  expect(matchOperation(operations, "POST", "/a/1/bxc/2")).toBeUndefined()
  expect(matchOperation(operations, "POST", "/a/1/b.c/%40%2F")?.pathParameters).toEqual({ id: "1", name: "@/" })
})
