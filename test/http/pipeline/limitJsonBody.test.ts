import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post, sampleIntent, send } from "../../support/testApi.ts"
import { expectErrorWithoutWrites, rowCounts } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const create = (key: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  send("/v1/connections", {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    body
  })

const validBody = JSON.stringify({ intent: sampleIntent, allowDuplicate: true })

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))))

const record = (fields: string) =>
  `{"intent":{"domain":"example.com","records":[{"host":"www","type":"TXT","value":"a",${fields}}]}}`

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

withLayer("a body that is not JSON", apiInMemory(), (live) => {
  const malformed: ReadonlyArray<readonly [name: string, body: string | Uint8Array<ArrayBuffer>]> = [
    ["malformed", "{'intent':1}"],
    ["truncated", validBody.slice(0, -2)],
    ["empty", ""],
    ["blank", " \r\n\t"],
    ["with a trailing comma", '{"intent":{},}'],
    ["with a comment", '{"intent":/* */{}}'],
    ["with NaN", '{"intent":NaN}'],
    ["two documents", validBody + validBody],
    ["with a byte order mark", `\ufeff${validBody}`],
    ["with an invalid UTF-8 sequence", bytes('{"intent":"', [0xc3, 0x28], '"}')],
    ["with an over-long UTF-8 sequence", bytes('{"intent":"', [0xc0, 0xaf], '"}')],
    ["with a surrogate in UTF-8", bytes('{"intent":"', [0xed, 0xa0, 0x80], '"}')],
    ["with a truncated UTF-8 sequence", bytes('{"intent":"', [0xe2, 0x82])]
  ]
  malformed.forEach(([name, body]) =>
    live(`is rejected with 400: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, body), { status: 400, code: "malformed_json" })
      })
    )
  )
})

withLayer("a JSON body", apiInMemory(), (live) => {
  const rejected: ReadonlyArray<readonly [name: string, body: string, pointer: string, code: string]> = [
    ["a NUL in a value", '{"intent":{"domain":"a\\u0000b.com"}}', "/intent/domain", "nul_character"],
    ["a NUL in a key", '{"a\\u0000":1}', "/a\u0000", "nul_character"],
    ["a lone high surrogate", record('"host2":"\\ud800"'), "/intent/records/0/host2", "lone_surrogate"],
    ["a lone low surrogate", record('"host2":"x\\uDC00y"'), "/intent/records/0/host2", "lone_surrogate"],
    ["17 levels", nested(17), "/0".repeat(16), "nested_too_deeply"],
    ["20,000 arrays", nested(20_000), "/0".repeat(16), "nested_too_deeply"],
    ["20,000 objects", '{"a":'.repeat(20_000) + "1", "/a".repeat(16), "nested_too_deeply"],
    ["a key twice", `{"intent":1,${validBody.slice(1)}`, "/intent", "duplicate_key"],
    ["a key twice, once escaped", `{"\\u0069ntent":1,${validBody.slice(1)}`, "/intent", "duplicate_key"],
    ["a key twice deep inside", record('"ttl":1,"ttl":2'), "/intent/records/0/ttl", "duplicate_key"],
    ["__proto__", `{"__proto__":{"polluted":1},${validBody.slice(1)}`, "/__proto__", "forbidden_key"],
    [
      "__proto__ in a map of tags",
      record('"advancedDmarcOptions":{"overrideTags":{"__proto__":"x"}}'),
      "/intent/records/0/advancedDmarcOptions/overrideTags/__proto__",
      "forbidden_key"
    ]
  ]
  rejected.forEach(([name, body, pointer, code]) =>
    live(`is rejected with 400 and a pointer to ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, body), {
          status: 400,
          code: "invalid_request",
          details: [[pointer, code]]
        })
        expect(Reflect.get({}, "polluted")).toBeUndefined()
      })
    )
  )

  live("may have 16 levels and paired surrogates", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(create(key, nested(16)), {
        status: 400,
        code: "invalid_request",
        details: [["", "invalid"]]
      })
      const emoji = '{"intent":{"domain":"example.com","records":[{"host":"a","type":"TXT","value":"\\ud83d\\ude00"}]}}'
      expect((yield* create(key, emoji)).status).toBe(201)
    })
  )
})

withLayer("a body that violates the schema", apiInMemory(), (live) => {
  const rootIsNotAnObject = [["", "invalid"]] as const
  const invalidRequests: ReadonlyArray<
    readonly [
      name: string,
      body: string,
      details: ReadonlyArray<readonly [string, string, { readonly suggestion: string }?]>
    ]
  > = [
    ["an array", "[]", rootIsNotAnObject],
    ["null", "null", rootIsNotAnObject],
    ["a string", '"intent"', rootIsNotAnObject],
    ["intent null", '{"intent":null}', [["/intent", "invalid"]]],
    ["an excess property", `{"colour":1,${validBody.slice(1)}`, [["/colour", "unknown_field"]]],
    ["constructor as a key", `{"constructor":{},${validBody.slice(1)}`, [["/constructor", "unknown_field"]]],
    ["ttl 1e400", record('"ttl":1e400'), [["/intent/records/0/ttl", "invalid"]]],
    ["ttl -1", record('"ttl":-1'), [["/intent/records/0/ttl", "invalid"]]],
    ["ttl 2^31", record('"ttl":2147483648'), [["/intent/records/0/ttl", "invalid"]]],
    ["ttl 1.5", record('"ttl":1.5'), [["/intent/records/0/ttl", "invalid"]]],
    ["ttl null", record('"ttl":null'), [["/intent/records/0/ttl", "invalid"]]],
    ["priority 65536", record('"priority":65536'), [["/intent/records/0/priority", "invalid"]]],
    [
      "a type in lower case",
      record('"optional":false').replace("TXT", "txt"),
      [["/intent/records/0/type", "type_not_in_capitals", { suggestion: "TXT" }]]
    ],
    ["an unknown type", record('"optional":false').replace("TXT", "WKS"), [["/intent/records/0/type", "invalid"]]],
    ["optional as a string", record('"optional":"no"'), [["/intent/records/0/optional", "invalid"]]],
    [
      "a tag that is not a string",
      record('"advancedDmarcOptions":{"overrideTags":{"a/b~c":1}}'),
      [["/intent/records/0/advancedDmarcOptions/overrideTags/a~1b~0c", "invalid"]]
    ]
  ]
  invalidRequests.forEach(([name, body, details]) =>
    live(`is rejected with 400: ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, body), { status: 400, code: "invalid_request", details })
      })
    )
  )

  live("gets a readable message for each field", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const wrong = { host: 1, type: "SPF", value: "a".repeat(4_097), ttl: 0.5, priority: "x", optional: 0 }
      const response = yield* post("/v1/connections", key, { intent: { domain: [], records: [wrong] } })
      const { error } = yield* jsonOf(response)
      expect(error.details.map(({ message, pointer }: Record<string, string>) => `${pointer} ${message}`)).toEqual([
        "/intent/domain must be a string",
        "/intent/records/0/host must be a string",
        "/intent/records/0/type must be one of A, AAAA, CNAME, MX, TXT, NS, SRV, CAA, HTTPS, SVCB, DS, NAPTR, SSHFP, TLSA; TXT may be meant",
        "/intent/records/0/value at most 4096 bytes",
        "/intent/records/0/ttl must be a whole number from 0 to 2147483647",
        "/intent/records/0/priority must be a whole number from 0 to 65535",
        "/intent/records/0/optional must be a boolean"
      ])
    })
  )
})

withLayer("a request body", apiInMemory(), (live) => {
  const wrongTypes = [
    "text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=utf-16",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x"
  ]
  wrongTypes.forEach((type) =>
    live(`of the type ${type} is rejected with 415`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(create(key, validBody, { "content-type": type }), {
          status: 415,
          code: "unsupported_media_type"
        })
      })
    )
  )

  live("with a content coding is rejected with 415", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const request = create(key, Bun.gzipSync(Buffer.from(validBody)), { "content-encoding": "gzip" })
      yield* expectErrorWithoutWrites(request, { status: 415, code: "unsupported_media_type" })
    })
  )

  const jsonTypes = ["application/json", "application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"']
  jsonTypes.forEach((type) =>
    live(`of the type ${type} is accepted`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        expect((yield* create(key, validBody, { "content-type": type })).status).toBe(201)
      })
    )
  )

  live("without a media type is read as JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const headers = [`x-api-key: ${key}`, `Content-Length: ${validBody.length}`]
      const response = yield* sendRaw({ line: "POST /v1/connections HTTP/1.1", headers, body: [validBody] })
      expect(response.status).toBe(201)
      expect((yield* rowCounts).connections).toBeGreaterThan(0)
    })
  )
})
