import { HttpApi } from "@effect/platform"
import { expect, test } from "bun:test"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { Api } from "../../../src/http/endpoints/Api.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post, sampleIntent } from "../../support/testApi.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"

/** Everything that a request may contain, by endpoint: path, query, headers and body. */
const requestSchemas = (): ReadonlyArray<readonly [name: string, ast: SchemaAST.AST]> => {
  const found: Array<readonly [string, SchemaAST.AST]> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) =>
      [endpoint.pathSchema, endpoint.urlParamsSchema, endpoint.headersSchema, endpoint.payloadSchema].forEach(
        (schema) => {
          if (Option.isSome(schema)) found.push([endpoint.name, schema.value.ast])
        }
      )
  })
  return found
}

/** Everything that a response may contain: the bodies of all endpoints, of successes and of errors. */
const responseSchemas = (): ReadonlyArray<SchemaAST.AST> => {
  const found: Array<SchemaAST.AST> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ errors, successes }) =>
      [...successes, ...errors].forEach(([, { ast }]) => {
        if (Option.isSome(ast)) found.push(ast.value)
      })
  })
  return found
}

/** The places of a schema at which a request may contain a string, array or map of any size. */
const unboundedPlaces = (ast: SchemaAST.AST, place: string, limits: JsonLimits = {}): ReadonlyArray<string> => {
  const surrogate = SchemaAST.getSurrogateAnnotation(ast)
  if (SchemaAST.isDeclaration(ast) && Option.isSome(surrogate))
    return unboundedPlaces(surrogate.value, place, countedFirst)
  switch (ast._tag) {
    case "StringKeyword":
      return limits.maxLength === undefined && !isBounded(limits.pattern) ? [`${place}: string`] : []
    case "Refinement": {
      const annotation = SchemaAST.getJSONSchemaAnnotation(ast)
      return unboundedPlaces(ast.from, place, { ...limits, ...Option.getOrElse(annotation, () => ({})) })
    }
    case "Transformation":
      return unboundedPlaces(ast.from, place, limits)
    case "Declaration":
      return ast.typeParameters.flatMap((parameter) => unboundedPlaces(parameter, place))
    case "TupleType":
      return [
        ...(limits.isCountedFirst === true ? [] : [`${place}: array`]),
        ...ast.rest.flatMap(({ type }) => unboundedPlaces(type, `${place}[]`))
      ]
    case "TypeLiteral":
      return [
        ...ast.indexSignatures.flatMap(({ parameter, type }) => [
          ...(limits.isCountedFirst === true || isPartOfUrl(parameter) ? [] : [`${place}: map`]),
          ...unboundedPlaces(parameter, `${place} key`),
          ...unboundedPlaces(type, `${place}.*`)
        ]),
        ...ast.propertySignatures.flatMap(({ name, type }) => unboundedPlaces(type, `${place}.${String(name)}`))
      ]
    case "Union":
      return ast.types.flatMap((type) => unboundedPlaces(type, place, limits))
    default:
      return []
  }
}

/** Whether the names of a map are query parameters, such as `metadata[plan]`: the server limits the length of a URL. */
const isPartOfUrl = (parameter: SchemaAST.AST): boolean => SchemaAST.isTemplateLiteral(parameter)

/** Whether a pattern matches only texts of limited length: it repeats nothing without end. */
const isBounded = (pattern: string | undefined): boolean =>
  pattern !== undefined && !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x"))

interface JsonLimits {
  readonly maxLength?: number
  readonly pattern?: string
  readonly isCountedFirst?: boolean
}

const countedFirst: JsonLimits = { isCountedFirst: true }

test("no request may contain a string, array or map of any size", () => {
  expect(requestSchemas().length).toBeGreaterThan(20)
  expect(requestSchemas().flatMap(([name, ast]) => unboundedPlaces(ast, name))).toEqual([])
})

/** The places at which a response may contain texts, arrays or maps of any size according to its schema, and why it may. */
const unboundedInResponses: ReadonlyArray<readonly [place: RegExp, reason: string]> = [
  [
    /^(connection\.)?(pendingIntent\.)?((effectiveI|i)ntent)\./,
    "an intent is stored as its request had it, within the limits of that"
  ],
  [/^(connection\.)?allowedNames/, "one for each record of the effective intent, at most"],
  [/^records(: array$|\[\]\.(expected\.|(name|unicodeName|zoneHost):))/, "the records of the effective intent"],
  [/^(domain|host|name): string$/, "the domain of the request, and its parts"],
  [/^connection\.domain: string$/, "the domain of the request"],
  [/^connection\.(providerId|takenBy): string$/, "an id of a provider, and of a process"],
  [/^connection\.message: string$/, "a sentence of the service"],
  [/^overview\.(states|failures|failingEndpoints)(?!.*Since)/, "each state once, and a hundred at most"],
  [/^inspection\.(explanation: string|mayAct: array|allowedActions: array)$/, "words of the service"],
  [
    /^inspection\.(timeline|providerCalls|deliveries)(: array|\[\]\.(?!.*[aA]t: string))/,
    "the hundred latest, of records that a plan has"
  ],
  [
    /^(connection\.)?(pendingIntent\.)?optionalFailure(s|Details)/,
    "one for each optional record of the intent, at most"
  ],
  [/^(connection\.)?provider[.]|^providers(\[\]|:)/, "the catalog's and the operator's words"],
  [
    /^(connection\.)?(plan\.(changes|zone)|leftovers)|^toRemove/,
    "records of a zone at the hosts of the intent; readers of zones have their own limits"
  ],
  [
    /^records\[\]\.diagnosis/,
    "at most four records whose values are cut at 255 characters, and a sentence with them and the desired record"
  ],
  [/^guides/, "at most three, each with a task for each change of a plan, and words of the service"],
  [/^(connection\.)?plan\.warning(s|Details)/, "each warning once, with a sentence and the changes that it is about"],
  [
    /^(connection\.)?failure\.(message|details)/,
    "a sentence, and at most twenty details of what name servers or the provider answered"
  ],
  [/^connection\.(delay|replan)\.message/, "a sentence of the service"],
  [/^(connection\.|error\.)?allowedActions/, "each command once"],
  [/^apiKey(s\[\])?\.scopes/, "as many as there are"],
  [/^domainConnectKey/, "the keys that administrators make, each with a name of DNS and a public key of a fixed size"],
  [/^records\[\]\.observed/, "sixteen records of each of eight name servers and the resolvers"],
  [/^zone: string$|^records\[\]\.(type: string|values)/, "a zone of test mode, whose size is limited"],
  [/^endpoints: array$/, "as many as an application may have"],
  [
    /^(connections|events|deliveries|entries|applications|tenants|apiKeys|askSecrets): array$/,
    "a page, whose length the request limits"
  ],
  [
    /^(accessToken|authorizeUrl|path|secret|key|nextCursor|events\[\]\.id|(apiKey|askSecret)(s\[\])?\.(id|prefix)): string$/,
    "a text that the service makes, of a fixed form"
  ],
  [
    /^entries\[\]\.((actor\.)?id|eventId|keyId|successorId|tokenId|endpointId|address): string$/,
    "ids of a fixed form, and the address of a client"
  ],
  [/^entries\[\]\.(acknowledged|scopes|settings)/, "each warning, scope and setting once"],
  [/^entries\[\]\.missing/, "ten records with at most three texts of 100 characters each"],
  [/^entries\[\]\.origin: string$/, "as long as the origin that a token was requested for"],
  [/^(entries\[\]|error)\.requestId: string$/, "at most 128 characters, else the service replaces it"],
  [/(At|Until|resetsAt|since|failingSince|lastAttempt\.at): string$/, "a time"],
  [/^: string$/, "a stream, whose events have the bodies above"],
  [/^error\.(code|message|documentationUrl): string$/, "words of the service"],
  [/^error\.details/, "twenty for a schema, and those of an intent by its number of records"]
]

/** The same schema stands in several responses, as itself, in a list or in a field. */
const toPlaceOfSchema = (place: string) =>
  place
    .replace(/^\./, "")
    .replace(/^connections\[\]\./, "connection.")
    .replace(/^inspection\.(connection|summary)\./, "connection.")
    .replace(/^inspection\.audit/, "entries")
    .replace(/^inspection\.records\./, "")

test("every part of a response without a limit of size is named here, with the reason", () => {
  expect(responseSchemas().length).toBeGreaterThan(100)
  const places = new Set(responseSchemas().flatMap((ast) => unboundedPlaces(ast, "").map(toPlaceOfSchema)))
  const matches = [...places].map((place) => ({
    place,
    count: unboundedInResponses.filter(([pattern]) => pattern.test(place)).length
  }))
  expect(matches.filter(({ count }) => count !== 1)).toEqual([])
  expect(unboundedInResponses.filter(([pattern]) => ![...places].some((place) => pattern.test(place)))).toEqual([])
})

test("an unbounded string, array or map is found", () => {
  const { ast } = Schema.Struct({
    text: Schema.String,
    texts: Schema.Array(Schema.String.pipe(Schema.maxLength(1))),
    map: Schema.Record({ key: Schema.String, value: Schema.Number })
  })
  expect(unboundedPlaces(ast, "x")).toEqual(["x.text: string", "x.texts: array", "x.map: map", "x.map key: string"])
})

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`)

const errorOf = (path: string, body: unknown) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const connection = yield* createConnectionPath(key)
    const response = yield* post(`${connection}/${path}`, key, body)
    const { error } = yield* jsonOf(response)
    return { status: response.status, error }
  })

withLayer("a body with too many parts", apiInMemory(), (live) => {
  const digest = `sha-256:${"0".repeat(64)}`

  live("is refused by their number, before any part is looked at", () =>
    Effect.gen(function* () {
      const { error, status } = yield* errorOf("approval", { digest, acknowledge: words(3_000) })
      expect([status, error.details]).toEqual([
        400,
        [{ pointer: "/acknowledge", code: "invalid", message: "must be an array of at most 100 items" }]
      ])
      const putBack = yield* errorOf("approval", { digest, putBack: words(201) })
      expect(putBack.error.details).toEqual([
        { pointer: "/putBack", code: "invalid", message: "must be an array of at most 200 items" }
      ])
    })
  )

  live("is refused with its first twenty faults", () =>
    Effect.gen(function* () {
      const { error } = yield* errorOf("approval", { digest, acknowledge: words(100) })
      expect(error.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
        Array.from({ length: 20 }, (_, index) => `/acknowledge/${index}`)
      )
    })
  )

  live("is refused by the number of its fields", () =>
    Effect.gen(function* () {
      const fields = Object.fromEntries(words(101).map((word) => [word, 1]))
      const { error } = yield* errorOf("approval", { digest, ...fields })
      expect(error.details.map(({ code }: { code: string }) => code)).toEqual(["too_many_fields"])
    })
  )

  live("is refused in a credential by the number of its entries", () =>
    Effect.gen(function* () {
      const credential = Object.fromEntries(words(21).map((word) => [word, "x"]))
      const { error } = yield* errorOf("authorization", { method: "direct_credential", credential })
      expect(error.details).toEqual([
        { pointer: "/credential", code: "invalid", message: "must have at most 20 entries" }
      ])
    })
  )

  live("is refused in an intent by the number of its records", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* post("/v1/connections", key, { intent: { ...sampleIntent, records: words(201) } })
      const { error } = yield* jsonOf(response)
      expect(error.details).toEqual([
        { pointer: "/intent/records", code: "invalid", message: "must be an array of at most 200 items" }
      ])
    })
  )
})
