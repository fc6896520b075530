import { expect } from "bun:test"
import { Chunk, Effect, Stream } from "effect"
import { planFromLines } from "../../../src/cli/plan/planFromLines.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { effect } from "../../support/effectTest.ts"

const intent = { records: [{ host: "www", type: "CNAME", value: "shops.example.net" }] }
const flattened = { records: [{ host: "@", type: "CNAME", value: "shops.example.net" }] }

const validCase = { domain: "example.com", zone: [], intent }

/** The answers to lines that arrive in chunks of this size, with the exit code. */
const answersTo = (text: string, chunkBytes = 65_536) =>
  Effect.gen(function* () {
    const bytes = new TextEncoder().encode(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
      bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    )
    const written: Array<string> = []
    const code = yield* planFromLines(Stream.fromChunk(Chunk.fromIterable(chunks)), (answers) =>
      Effect.sync(() => written.push(answers))
    )
    const lines = written.join("").split("\n")
    expect(lines.pop()).toBe("")
    return { code, answers: lines.map((line) => JSON.parse(line)) }
  })

const linesOf = (...lines: ReadonlyArray<unknown>) =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")

effect("each line has an answer, in order, that begins with the id of the line", () =>
  Effect.gen(function* () {
    const ids = ["a", 2, null, { deep: [1] }]
    const { answers, code } = yield* answersTo(linesOf(...ids.map((id) => ({ ...validCase, id })), validCase))
    expect(code).toBe(0)
    expect(answers.map((answer) => answer.id)).toEqual([...ids, undefined])
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(["id", "id", "id", "id", "effectiveIntent"])
  })
)

effect("an answer contains the whole plan", () =>
  Effect.gen(function* () {
    const zone = [{ host: "WWW", type: "A", value: "192.0.2.1", ttl: 60 }]
    const { answers } = yield* answersTo(linesOf({ id: 1, ...validCase, zone }))
    const www = { host: "www", type: "CNAME", value: "shops.example.net", ttl: 3600 }
    const names = { name: "www.example.com", zoneHost: "www" }
    expect(answers).toEqual([
      {
        id: 1,
        effectiveIntent: { domain: "example.com", records: [{ ...www, optional: false, ...names }] },
        plan: {
          digest: expect.stringMatching(/^sha-256:[0-9a-f]{64}$/),
          zone: "example.com",
          changes: [
            {
              action: "delete",
              before: { host: "www", type: "A", value: "192.0.2.1", ttl: 60, optional: false, ...names },
              destructive: true
            },
            { action: "create", after: { ...www, optional: false, ...names }, destructive: false }
          ],
          warnings: ["cname_replaces_records", "website_replaced"],
          warningDetails: [
            expect.objectContaining({ code: "cname_replaces_records", severity: "caution", changes: [0] }),
            expect.objectContaining({ code: "website_replaced", severity: "serious", changes: [0, 1] })
          ]
        },
        optionalFailures: [],
        optionalFailureDetails: [],
        resultingZone: [www]
      }
    ])
  })
)

effect("an invalid line does not stop the others, and the exit code reports invalid input rather than a failure", () =>
  Effect.gen(function* () {
    const lines = linesOf(
      validCase,
      "{",
      { id: 3, domain: "example.com" },
      "7",
      { ...validCase, id: 5, intent: flattened },
      validCase
    )
    const { answers, code } = yield* answersTo(lines)
    expect(code).toBe(2)
    expect(answers.map(({ error, failure, id, plan }) => [id, error?.code ?? failure?.code ?? typeof plan])).toEqual([
      [undefined, "object"],
      [undefined, "malformed_json"],
      [3, "invalid_request"],
      [undefined, "invalid_request"],
      [5, "apex_cname_unsupported"],
      [undefined, "object"]
    ])
  })
)

effect("a plan that would fail is reported with its rule, and the zone is unchanged", () =>
  Effect.gen(function* () {
    const zone = [{ host: "@", type: "A", value: "192.0.2.1", ttl: 60 }]
    const { answers, code } = yield* answersTo(linesOf(validCase, { ...validCase, zone, intent: flattened }, validCase))
    expect(code).toBe(1)
    expect(Object.keys(answers[1])).toEqual([
      "effectiveIntent",
      "failure",
      "optionalFailures",
      "optionalFailureDetails",
      "resultingZone"
    ])
    expect(answers[1].failure).toEqual({
      code: "apex_cname_unsupported",
      retryable: false,
      message: failureMeanings.apex_cname_unsupported,
      details: [{ message: expect.stringContaining("CNAME at @: "), host: "@", type: "CNAME" }],
      pointer: "/intent/records/0",
      rule: expect.stringContaining("cnameFlattening")
    })
    expect(answers[1].resultingZone).toEqual(zone)
  })
)

effect("lines may be split anywhere, end in CR LF, begin with a byte order mark, and end without a line break", () =>
  Effect.gen(function* () {
    const text =
      `\ufeff${linesOf({ ...validCase, id: "é" }).replace("\n", "\r\n")}${linesOf({ ...validCase, id: 2 })}`.trimEnd()
    for (const chunkBytes of [1, 7, 1_000]) {
      const { answers, code } = yield* answersTo(text, chunkBytes)
      expect([code, answers.map(({ id }) => id)]).toEqual([0, ["é", 2]])
    }
  })
)

effect("blank lines have no answer", () =>
  Effect.gen(function* () {
    const { answers, code } = yield* answersTo(`\n  \r\n${linesOf(validCase)}\n\t\n`)
    expect([code, answers.length]).toEqual([0, 1])
  })
)

effect("a line over 8 MiB is dropped while it arrives, and the lines around it are planned", () =>
  Effect.gen(function* () {
    const limit = 8 * 1_024 * 1_024
    const shortLine = JSON.stringify({ ...validCase, id: 2, pad: "" })
    const longestLine = shortLine.replace('"pad":""', `"pad":"${"x".repeat(limit - shortLine.length)}"`)
    const { answers, code } = yield* answersTo(
      linesOf({ ...validCase, id: 1 }, longestLine, `${longestLine} `, { ...validCase, id: 4 })
    )
    expect([code, answers.map(({ error, id }) => id ?? error?.code)]).toEqual([2, [1, 2, "line_too_long", 4]])
  })
)

for (const [mistake, line, code] of [
  ["a duplicate key", '{"domain":"example.com","domain":"example.org"}', "duplicate_key"],
  ["a key with a special meaning in JavaScript", '{"intent":{"__proto__":{"polluted":1}}}', "forbidden_key"],
  ["100,000 levels of nesting", "[".repeat(100_000), "nested_too_deeply"]
] as const) {
  effect(`rejects ${mistake}`, () =>
    Effect.gen(function* () {
      const { answers } = yield* answersTo(linesOf(line))
      expect(answers.map(({ error }) => error.issues[0].code)).toEqual([code])
      expect({}).not.toHaveProperty("polluted")
    })
  )
}

effect("a current record may contain characters that the database cannot store", () =>
  Effect.gen(function* () {
    const zone = [{ host: "x", type: "TXT", value: "\u0000\ud800", ttl: 60 }]
    const { answers, code } = yield* answersTo(linesOf({ ...validCase, zone }))
    expect([code, answers[0].resultingZone[0]]).toEqual([0, zone[0]])
  })
)

effect("a context may answer any number of names", () =>
  Effect.gen(function* () {
    const names = Array.from({ length: 150 }, (_, index) => `_spf${index}.example.net`)
    const answers = Object.fromEntries(names.map((name) => [name, { TXT: ["v=spf1 -all"] }]))
    expect((yield* answersTo(linesOf({ ...validCase, context: { answers } }))).code).toBe(0)
  })
)

effect("a character that is allowed does not hide a mistake after it", () =>
  Effect.gen(function* () {
    const { answers } = yield* answersTo(linesOf('{"id":"\\u0000","zone":[],"zone":[]}'))
    expect(answers.map(({ error }) => error.issues[0].code)).toEqual(["duplicate_key"])
  })
)

effect("reports only the first issue of a line", () =>
  Effect.gen(function* () {
    const { answers } = yield* answersTo(linesOf({ ...validCase, zone: Array(100_000).fill(0) }))
    expect(answers.map(({ error }) => error.issues.map(({ pointer }: { pointer: string }) => pointer))).toEqual([
      ["/zone/0"]
    ])
    expect(answers[0].error.message).toStartWith("1 problem in the input, which may have more: /zone/0: ")
  })
)

effect("reports bytes that are not valid UTF-8", () =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const code = yield* planFromLines(Stream.succeed(Uint8Array.of(0xff, 10)), (text) =>
      Effect.sync(() => written.push(text))
    )
    expect([code, written.join("")]).toEqual([2, '{"error":{"code":"not_utf8","message":"this is not valid UTF-8"}}\n'])
  })
)
