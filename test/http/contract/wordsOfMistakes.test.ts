import { OpenApi } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { Api } from "../../../src/http/endpoints/Api.ts"
import { declaredOperations } from "../../support/documentedErrors.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, jsonOf } from "../../support/testApi.ts"
import { credentialHeadersOf, sendTo } from "../support/errorCases.ts"

const document: any = OpenApi.fromApi(Api)

const wrongValues = [null, true, 7, -1, 1.5, "", "no such value", "x".repeat(5_000), [], [null], {}, { a: 1 }]

/** The components whose parts have been listed: whatever else has one is told of them in the same words. */
const listed = new Set<string>()

/**
 * Every value that has a wrong one at one place of a schema, and around it only what leads there; the places within a
 * component of the document only where it is met first.
 */
const listMistaken = ({ $ref, ...schema }: any): ReadonlyArray<unknown> => {
  if (listed.has($ref)) return wrongValues
  if ($ref !== undefined) {
    listed.add($ref)
    return listMistaken(document.components.schemas[$ref.split("/").at(-1)])
  }
  const { additionalProperties, allOf = [], anyOf = [], items, oneOf = [], properties = {} } = schema
  const fields = Object.entries<any>(properties)
  const tags = fields.flatMap(([name, { enum: values = [] }]) => (values.length === 1 ? [[name, values[0]]] : []))
  return [
    ...wrongValues,
    ...[...allOf, ...anyOf, ...oneOf].flatMap(listMistaken),
    ...(items === undefined ? [] : listMistaken(items).map((item) => [item])),
    ...fields.flatMap(([name, field]) =>
      listMistaken(field).map((value) => ({ ...Object.fromEntries(tags), [name]: value }))
    ),
    ...(typeof additionalProperties === "object"
      ? listMistaken(additionalProperties).map((value) => ({ name: value }))
      : [])
  ]
}

/** Whether a message is what a person would say: no type of a program, no pattern, nothing that nobody can send. */
const isInWords = (message: string): boolean =>
  message.length < 300 &&
  !/undefined|Expected|\bactual\b|\bpattern\b|\(s\)|[{}|\\^<>└]/.test(message) &&
  !/\b(?!JavaScript|OAuth|GitHub)[A-Z][a-z]+[A-Z]\w*/.test(message) &&
  !/must be (?!A\b|[A-Z]{2})[A-Z]/.test(message)

/** Whether no operation before has a parameter of that name, place and schema. */
const isNew = ({ in: place, name, schema }: any): boolean => {
  const parameter = JSON.stringify([place, name, schema])
  if (listed.has(parameter)) return false
  listed.add(parameter)
  return true
}

const requests = declaredOperations.flatMap((operation) => {
  const { parameters, requestBody } = document.paths[operation.path][operation.method.toLowerCase()]
  const schema = requestBody?.content["application/json"].schema
  const bodies = schema === undefined ? [] : new Set(listMistaken(schema).map((body) => JSON.stringify(body)))
  const texts = wrongValues.filter((value) => typeof value === "string" || typeof value === "number").map(String)
  return [
    ...[...bodies].map((body) => ({ operation, changes: { body } })),
    ...parameters.filter(isNew).flatMap(({ in: place, name }: any) =>
      texts.flatMap((text) => {
        if (place === "query") return { operation, changes: { query: `?${name}=${text}` } }
        if (place === "header") return { operation, changes: { headers: { [name]: text } } }
        const path = operation.path.replace(`{${name}}`, encodeURIComponent(text || " "))
        return { operation: { ...operation, path }, changes: {} }
      })
    )
  ]
})

withLayer("what is wrong with a request", apiInMemory(), (live) => {
  live("is said in words, wherever a value is wrong in a body, a header or a parameter", () =>
    Effect.gen(function* () {
      expect(requests.length).toBeGreaterThan(1_000)
      const messages = new Map<string, string>()
      const credentials = new Map<string, Record<string, string>>()
      for (const { changes, operation } of requests) {
        const kind = operation.credentials.join() + String(operation.path.includes("/share-links/"))
        const headers = credentials.get(kind) ?? (yield* credentialHeadersOf(operation))
        credentials.set(kind, headers)
        const response = yield* sendTo(operation, { ...changes, headers: { ...headers, ...changes.headers } })
        if (response.status !== 400 && response.status !== 422) continue
        const { error } = yield* jsonOf(response)
        for (const { message } of [error, ...(error.details ?? [])])
          messages.set(message, `${operation.id} ${JSON.stringify(changes).slice(0, 200)}`)
      }
      expect([...messages].filter(([message]) => !isInWords(message))).toEqual([])
    })
  )
})
