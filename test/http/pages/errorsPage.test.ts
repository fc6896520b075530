import { Glob } from "bun"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { readFileSync } from "node:fs"
import { FailureCode } from "../../../src/domain/connection/Connection.ts"
import { Warning } from "../../../src/domain/plan/Warning.ts"
import { errorCodes } from "../../../src/http/contract/errorResponses.ts"
import { live, withLayer } from "../../support/effectTest.ts"
import {
  apiInMemory,
  apiServicesLayer,
  issueKey,
  jsonOf,
  httpOnFreePort,
  offlineDns,
  post,
  sampleIntent,
  send,
  storesInMemory
} from "../../support/testApi.ts"

const pageAt = (path: string) =>
  Effect.gen(function* () {
    const response = yield* send(path)
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, type: response.headers.get("content-type"), text }
  })

/** Requests that are refused before and behind the authentication, and by an endpoint. */
const refusals = Effect.gen(function* () {
  const { key } = yield* issueKey()
  return yield* Effect.all([
    send("/v1/nothing"),
    send("/v1/connections", { method: "PUT" }),
    send("/v1/connections"),
    post("/v1/connections", key, "{"),
    post("/v1/connections", key, {}),
    post("/v1/connections", key, { intent: { ...sampleIntent, domain: "com" } })
  ])
})

withLayer("the documentation of an error", apiInMemory(), (live) => {
  live("is linked in its body, by a path of the service that explains its code", () =>
    Effect.gen(function* () {
      for (const response of yield* refusals) {
        const { error } = yield* jsonOf(response)
        expect(error.documentationUrl).toBe(`/docs/errors#${error.code}`)
        const { status, text, type } = yield* pageAt(error.documentationUrl)
        expect([status, type]).toEqual([200, "text/html; charset=utf-8"])
        expect(text).toContain(`id="${error.code}"`)
      }
    })
  )

  live("explains every error code, and every code of a detail that the sources have", () =>
    Effect.gen(function* () {
      const { text } = yield* pageAt("/docs/errors")
      const codes = [...Object.values(errorCodes).flat(), ...detailCodes]
      expect(codes.filter((code) => !text.includes(`id="${code}"`))).toEqual([])
      for (const code of FailureCode.literals) expect(text).toContain(`id="failure-${code}"`)
      for (const code of Warning.literals) expect(text).toContain(`id="warning-${code}"`)
      expect(text.match(/<script[^>]*>[^<]|(src|href)="https?:/g)).toBeNull()
      expect((yield* pageAt("/docs/style.css")).status).toBe(200)
    })
  )
})

/** The codes that rules of the domain, of requests and of quotas give to single values. */
const detailCodes = [...new Glob("src/domain/**/*.ts").scanSync(), "src/http/pipeline/limitJsonBody.ts"].flatMap(
  (path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:\bcode: |\brefuse\(|\bissue\()"(\w+)"/g)].map(([, code = ""]) => code)
)

const behindPublicUrl = httpOnFreePort({ publicUrl: Option.some("https://connect.example/dns") }).pipe(
  Layer.provideMerge(apiServicesLayer),
  Layer.provide(offlineDns),
  Layer.provideMerge(storesInMemory)
)

const byName = { headers: { host: "connect.example" } }

withLayer("with PUBLIC_URL", behindPublicUrl, (live) => {
  live("the OpenAPI document names it as the server", () =>
    Effect.gen(function* () {
      expect((yield* jsonOf(yield* send("/openapi.json", byName))).servers).toEqual([
        { url: "https://connect.example/dns" }
      ])
    })
  )

  live("the documentation of an error is linked by an absolute URL", () =>
    Effect.gen(function* () {
      const { error } = yield* jsonOf(yield* send("/v1/connections", byName))
      expect(error.documentationUrl).toBe("https://connect.example/dns/docs/errors#unauthenticated")
    })
  )
})

live("docs/errors-and-warnings.md has an anchor for every code that is served", () =>
  Effect.sync(() => {
    const page = readFileSync("docs/errors-and-warnings.md", "utf8")
    const codes = [...Object.values(errorCodes).flat(), ...detailCodes]
    expect(codes.filter((code) => !page.includes(`<a id="${code}"></a>`))).toEqual([])
  })
)
