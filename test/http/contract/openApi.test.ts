import { expect } from "bun:test"
import { Effect } from "effect"
import { errorCodes } from "../../../src/http/contract/errorResponses.ts"
import { live, withLayer } from "../../support/effectTest.ts"
import { apiInMemory, jsonOf, send } from "../../support/testApi.ts"

const committedDocument: Effect.Effect<any> = Effect.promise(() =>
  Bun.file(new URL("../../../docs/openapi.json", import.meta.url)).json()
)

/** The table of error codes in decision 2: one row for one or more statuses. */
const documentedErrorCodes = Effect.map(
  Effect.promise(() =>
    Bun.file(
      new URL(
        "../../../docs/decisions/0002-every-error-has-one-body-and-each-endpoint-seven-answers.md",
        import.meta.url
      )
    ).text()
  ),
  (text) =>
    [...text.matchAll(/^\| ([0-9, ]+?) +\| (`.*) +\|$/gm)].map(([, statuses = "", codes = ""]) => ({
      statuses: statuses.split(", ").map(Number),
      codes: [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code)
    }))
)

const served = Effect.flatMap(send("/openapi.json"), jsonOf)

const schemaOf = (body: any) => Object.values<any>(body.content ?? {})[0]?.schema

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Whether a parameter has a description in a full sentence. */
const hasDescription = (parameter: any) =>
  /^[A-Z`].*\.$/.test(parameter.description ?? parameter.schema.description ?? "")

/** Every object within a document, with its JSON pointer. */
const objectsIn = (value: any, pointer = ""): ReadonlyArray<readonly [pointer: string, object: any]> =>
  typeof value !== "object" || value === null
    ? []
    : [[pointer, value], ...Object.entries(value).flatMap(([key, child]) => objectsIn(child, `${pointer}/${key}`))]

const errors = {
  400: "InvalidRequest",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  422: "Unprocessable",
  429: "RateLimited",
  503: "Unavailable"
} as const

const errorsOf = (...statuses: ReadonlyArray<keyof typeof errors>) =>
  Object.fromEntries(statuses.map((status) => [status, component(errors[status])]))

const keys = ["apiKey"]
const keysAndTokens = ["apiKey", "browserToken"]
const connection = "/v1/connections/{connectionId}"

/** The responses of every command. */
const commandBodies = { 200: component("ConnectionBody"), ...errorsOf(400, 401, 403, 404, 409, 412, 422, 429, 503) }

/** The contract's endpoints with their bodies and credentials. */
const endpoints: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly security: ReadonlyArray<string>
  readonly request?: unknown
  readonly bodies: Readonly<Record<string, unknown>>
}> = [
  {
    method: "post",
    path: "/v1/connections",
    request: component("CreateConnectionRequest"),
    security: keys,
    bodies: { 201: component("ConnectionBody"), ...errorsOf(400, 401, 403, 409, 422, 429) }
  },
  {
    method: "get",
    path: connection,
    security: keysAndTokens,
    bodies: { 200: component("ConnectionBody"), ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "post",
    path: `${connection}/access-token`,
    request: component("IssueTokenRequest"),
    security: keys,
    bodies: { 201: component("BrowserToken"), ...errorsOf(400, 401, 403, 404, 409, 429) }
  },
  {
    method: "get",
    path: "/v1/connections",
    security: keys,
    bodies: { 200: component("ConnectionListBody"), ...errorsOf(400, 401, 403, 429, 503) }
  },
  {
    method: "delete",
    path: `${connection}/access-token`,
    security: keys,
    bodies: { 204: undefined, ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "post",
    path: `${connection}/authorization`,
    request: {
      anyOf: [
        { anyOf: [component("ManualAuthorization"), component("CredentialAuthorization")] },
        component("ProviderAuthorization")
      ]
    },
    security: keysAndTokens,
    bodies: { ...commandBodies, 200: component("AuthorizationBody") }
  },
  {
    method: "post",
    path: `${connection}/approval`,
    request: component("ApprovalRequest"),
    security: keysAndTokens,
    bodies: commandBodies
  },
  ...["recheck", "retry", "cancel"].map((name) => ({
    method: "post",
    path: `${connection}/${name}`,
    security: keysAndTokens,
    bodies: commandBodies
  })),
  { method: "post", path: `${connection}/disconnect`, security: keys, bodies: commandBodies },
  {
    method: "get",
    path: `${connection}/records`,
    security: keysAndTokens,
    bodies: { 200: component("ObservationsBody"), ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "get",
    path: `${connection}/events`,
    security: keysAndTokens,
    bodies: { 200: component("TimelineBody"), ...errorsOf(400, 401, 403, 404, 429, 503) }
  },
  {
    method: "get",
    path: `${connection}/stream`,
    security: keysAndTokens,
    bodies: {
      200: { type: "string", description: expect.any(String) },
      204: undefined,
      ...errorsOf(400, 401, 403, 404, 429, 503)
    }
  },
  {
    method: "get",
    path: "/v1/providers",
    security: keys,
    bodies: { 200: component("ProviderListBody"), ...errorsOf(400, 401, 403, 429, 503) }
  },
  {
    method: "post",
    path: "/v1/domains/check",
    request: component("DomainCheckRequest"),
    security: keys,
    bodies: { 200: component("DomainCheck"), ...errorsOf(400, 401, 403, 422, 429, 503) }
  },
  {
    method: "post",
    path: `${connection}/share-link`,
    security: keys,
    bodies: { 201: component("ShareLink"), ...errorsOf(400, 401, 403, 404, 409, 429) }
  },
  {
    method: "post",
    path: "/v1/share-links/redeem",
    request: component("RedeemRequest"),
    security: [],
    bodies: { 201: component("RedeemedLink"), ...errorsOf(400, 401, 403, 429) }
  },
  {
    method: "get",
    path: "/v1/usage",
    security: keys,
    bodies: { 200: component("UsageBody"), ...errorsOf(400, 401, 403, 429, 503) }
  }
]

withLayer("the OpenAPI document", apiInMemory(), (live) => {
  live("equals docs/openapi.json; after an intended change, run `bun run openapi`", () =>
    Effect.gen(function* () {
      expect(yield* served).toEqual(yield* committedDocument)
    })
  )

  live("is OpenAPI 3.1 and names the service", () =>
    Effect.gen(function* () {
      const { info, openapi } = yield* served
      expect(openapi).toBe("3.1.0")
      expect(info).toMatchObject({ title: "Domain Connection Service", version: "1" })
    })
  )

  live("has exactly the endpoints of the contract", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const found = Object.keys(paths).flatMap((path) => Object.keys(paths[path]).map((method) => `${method} ${path}`))
      expect(found.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
    })
  )

  endpoints.forEach(({ bodies, method, path, request, security }) =>
    live(`documents ${method} ${path} with named body schemas and the accepted credentials`, () =>
      Effect.gen(function* () {
        const operation = (yield* served).paths[path][method]
        const shown = Object.entries(operation.responses).map(([status, body]) => [status, schemaOf(body)])
        expect(Object.fromEntries(shown)).toEqual(bodies)
        expect(operation.requestBody === undefined ? undefined : schemaOf(operation.requestBody)).toEqual(request)
        expect(operation.security.flatMap(Object.keys)).toEqual(security)
        expect(operation.summary).toBeString()
        expect(operation.description).toBeString()
      })
    )
  )

  live("has seven responses each for creating a connection, reading it and issuing its token (decision 2)", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const bodies = endpoints.slice(0, 3).map(({ method, path }) => Object.keys(paths[path][method].responses).length)
      expect(bodies).toEqual([7, 7, 7])
    })
  )

  live("describes every parameter and limits the id to 1 to 200 characters", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const parametersOf = (path: string, method: string): ReadonlyArray<any> => paths[path][method].parameters
      const parameters = endpoints.map(({ method, path }) =>
        [
          `${method} ${path}`,
          ...parametersOf(path, method).map(({ in: location, name }) => `${location} ${name}`)
        ].join(", ")
      )
      const id = "path connectionId"
      const forCommand = `${id}, header idempotency-key, header if-match`
      expect(parameters).toEqual([
        "post /v1/connections, header idempotency-key, header prefer",
        `get ${connection}, ${id}, header if-none-match`,
        `post ${connection}/access-token, ${id}`,
        "get /v1/connections, query state, query domain, query createdAfter, query cursor, query limit",
        `delete ${connection}/access-token, ${id}`,
        ...["authorization", "approval", "recheck", "retry", "cancel", "disconnect"].map(
          (name) => `post ${connection}/${name}, ${forCommand}`
        ),
        `get ${connection}/records, ${id}`,
        `get ${connection}/events, ${id}, query cursor, query limit`,
        `get ${connection}/stream, ${id}, header last-event-id`,
        "get /v1/providers",
        "post /v1/domains/check",
        `post ${connection}/share-link, ${id}`,
        "post /v1/share-links/redeem",
        "get /v1/usage"
      ])
      const all = endpoints.flatMap(({ method, path }) => parametersOf(path, method))
      expect(all.filter(({ in: location, required }) => required !== (location === "path"))).toEqual([])
      expect(all.filter((parameter) => !hasDescription(parameter) && !("$ref" in parameter.schema))).toEqual([])
      const ids = all.filter(({ name }) => name === "connectionId")
      ids.forEach(({ schema }) => expect(schema).toMatchObject({ type: "string", minLength: 1, maxLength: 200 }))
    })
  )

  live("describes the meaning of each response, not the name of its schema", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const answers = endpoints.flatMap(({ method, path }) => Object.values<any>(paths[path][method].responses))
      expect(answers.filter(({ description }) => !/^[A-Z].* .*\.$/.test(description))).toEqual([])
    })
  )

  live("declares both authentication schemes", () =>
    Effect.gen(function* () {
      expect((yield* served).components.securitySchemes).toEqual({
        apiKey: { type: "apiKey", name: "x-api-key", in: "header" },
        browserToken: { type: "http", scheme: "bearer" }
      })
    })
  )

  live("refers only to existing schemas, and has no unused schema", () =>
    Effect.gen(function* () {
      const document = yield* served
      const references = objectsIn(document).flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []))
      const components = Object.keys(document.components.schemas).map((name) => component(name).$ref)
      expect([...new Set(references)].toSorted()).toEqual(components.toSorted())
    })
  )

  live("refers to named schemas instead of repeating them", () =>
    Effect.gen(function* () {
      const all = objectsIn((yield* served).components.schemas)
      const enums = all.filter(([, object]) => object.enum?.length > 1).map(([, object]) => object.enum.join())
      expect(enums.filter((values, at) => enums.indexOf(values) !== at)).toEqual([])
      expect(all.filter(([, object]) => "anyOf" in object || "oneOf" in object || "allOf" in object)).toEqual([])
      expect(all.filter(([, object]) => "$ref" in object && Object.keys(object).length > 1)).toEqual([])
    })
  )

  live("gives every time a format and every property a type", () =>
    Effect.gen(function* () {
      const { schemas } = (yield* served).components
      const times = objectsIn(schemas).filter(([pointer]) => pointer.endsWith("At"))
      expect(times.map(([, schema]) => schema)).toEqual(times.map(() => component("Timestamp")))
      expect(schemas.Timestamp).toMatchObject({ type: "string", format: "date-time" })
      expect(schemas.Ttl).toMatchObject({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 })
      const properties = objectsIn(schemas).filter(([pointer]) => /\/properties\/[^/]+$/.test(pointer))
      expect(
        properties.filter(([, schema]) => !("type" in schema || "$ref" in schema)).map(([pointer]) => pointer)
      ).toEqual([])
    })
  )

  live("forbids unknown properties except in tag maps and credentials", () =>
    Effect.gen(function* () {
      const { schemas } = (yield* served).components
      const objects = objectsIn(schemas).filter(([, schema]) => schema.type === "object" && "properties" in schema)
      const open = objects.filter(([, schema]) => schema.additionalProperties !== false)
      expect(open.map(([pointer]) => pointer)).toEqual([
        "/AdvancedDmarcOptions/properties/overrideTags",
        "/AdvancedDmarcOptions/properties/addTagsIfNotExist",
        "/CredentialInput"
      ])
    })
  )
})

live("decision 2 lists exactly the error codes of the schemas, by status", () =>
  Effect.gen(function* () {
    const rows = yield* documentedErrorCodes
    expect(rows.flatMap(({ statuses }) => statuses).toSorted()).toEqual(Object.keys(errorCodes).map(Number).toSorted())
    rows.forEach(({ codes, statuses }) =>
      expect(codes.toSorted()).toEqual(statuses.flatMap((status) => errorCodes[status] ?? []).toSorted())
    )
  })
)

live("the OpenAPI document lists the error codes of the schemas", () =>
  Effect.gen(function* () {
    const { schemas } = (yield* committedDocument).components
    Object.entries(errors).forEach(([status, name]) => {
      const { description } = schemas[name].properties.error.properties.code
      const listed = /^A stable word: (.*)\.$/.exec(description)?.[1]?.split(", ") ?? []
      const undeclared = ["route_not_found", "internal_error"]
      const declared = (errorCodes[Number(status)] ?? []).filter((code) => !undeclared.includes(code))
      expect(listed.toSorted()).toEqual(declared.toSorted())
    })
    expect(schemas["InvalidRequest"].properties.error.properties.code.description).toContain("return_url_not_allowed")
  })
)

withLayer("the documentation page", apiInMemory(), (live) => {
  live("loads no script or style sheet from another host", () =>
    Effect.gen(function* () {
      const page = yield* Effect.flatMap(send("/docs"), (response) => Effect.promise(() => response.text()))
      expect(page).toContain("Domain Connection Service")
      expect(page.match(/<(script|link)[^>]+(src|href)="https?:[^"]*"/g)).toBeNull()
    })
  )
})
