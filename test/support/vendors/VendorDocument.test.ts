import { describe, expect, test } from "bun:test"
import { exampleDocument } from "./exampleVendor.ts"
import { describeIfPossible } from "../describeIfPossible.ts"
import { type DocumentPatch, makeVendorDocument, patchDocument, readVendorDocument } from "./VendorDocument.ts"
import { missingVendorData } from "./vendorData.ts"

const document = makeVendorDocument(exampleDocument)

const problemsOf = (
  name: string,
  { body, id = "1", query = "" }: { readonly body?: unknown; readonly id?: string; readonly query?: string }
) => document.operation(name).problemsOfRequest({ pathParameters: { id }, query: new URLSearchParams(query), body })

describe("a request is allowed", () => {
  test("with a parameter that is a number in text", () =>
    expect(problemsOf("GET /notes", { query: "per_page=100" })).toEqual([]))

  test("without the members that only answers have", () =>
    expect(problemsOf("POST /notes", { body: { text: "a" } })).toEqual([]))

  test("with null where the document says nullable, next to an enum", () =>
    expect(problemsOf("POST /notes", { body: { text: "a", colour: null } })).toEqual([]))

  test("with an empty object where the document has no body", () =>
    expect(problemsOf("DELETE /notes/{id}", { body: {} })).toEqual([]))
})

describe("a request is refused, by what is wrong,", () => {
  const refused: ReadonlyArray<readonly [string, Parameters<typeof problemsOf>[1], string]> = [
    ["GET /notes", { query: "per_page=101" }, '"per_page": the whole must be <= 100'],
    ["GET /notes", { query: "per_page=0" }, '"per_page": the whole must be > 0'],
    ["GET /notes", { query: "per_page=many" }, '"per_page": the whole must be integer'],
    ["GET /notes", { query: "perpage=1" }, 'the query has "perpage"'],
    ["DELETE /notes/{id}", { id: "one" }, '"id": the whole must be integer'],
    ["DELETE /notes/{id}", { body: { text: "a" } }, "the request has a body"],
    ["POST /notes", {}, "the request lacks its body"],
    ["POST /notes", { body: {} }, "body: the whole must have required property 'text'"],
    ["POST /notes", { body: { text: 1 } }, "body: /text must be string"],
    ["POST /notes", { body: { text: "a", colour: "blue" } }, "body: /colour must be equal to one of"],
    ["POST /notes", { body: { text: "a", txet: "b" } }, 'unevaluatedProperty":"txet"']
  ]
  for (const [operation, request, problem] of refused)
    test(`${operation} ${JSON.stringify(request)}`, () =>
      expect(problemsOf(operation, request).join()).toContain(problem))
})

const problems = (status: number, body?: unknown) => document.operation("GET /notes").problemsOfAnswer({ status, body })

test("an answer needs a documented status, and a body of its schema", () => {
  expect(problems(200, { notes: [{ id: 1, text: "a" }] })).toEqual([])
  expect(problems(200, { notes: [{ text: "a" }] })).toEqual([
    `answer 200: /notes/0 must have required property 'id' ({"missingProperty":"id"})`
  ])
  expect(problems(200)).toEqual(["answer 200 lacks its body"])
  expect(problems(500, {})).toEqual(["the document has no answer with status 500"])
  expect(problems(401, {})).toEqual(["answer 401 has no body"])
})

test("an operation that the document does not have is named", () =>
  expect(() => document.operation("PUT /notes")).toThrow('the vendor\'s document has no operation "PUT /notes"'))

test("a patch adds an operation, replaces a member and removes another", () => {
  const patch: DocumentPatch = {
    paths: { "/notes": { put: { responses: { "200": {} } }, get: { parameters: null } } },
    components: { schemas: { Note: { required: ["id"] } } }
  }
  const patched = makeVendorDocument(patchDocument(exampleDocument, patch))
  expect(patched.operation("PUT /notes").problemsOfAnswer({ status: 200, body: undefined })).toEqual([])
  const request = { pathParameters: {}, query: new URLSearchParams("per_page=1"), body: {} }
  expect(patched.operation("GET /notes").problemsOfRequest(request)).toHaveLength(1)
  expect(patched.operation("POST /notes").problemsOfRequest({ ...request, query: new URLSearchParams() })).toEqual([])
})

test("texts of XML may be numbers where the document says so, and what is in the root element is checked", () => {
  const content = { "text/xml": { schema: { $ref: "#/components/schemas/Note" } } }
  const put = { requestBody: { content }, responses: { "200": { content } } }
  const { problemsOfAnswer, problemsOfRequest } = makeVendorDocument(
    patchDocument(exampleDocument, { paths: { "/notes": { put } } })
  ).operation("PUT /notes")
  const answerOf = (body: unknown) => problemsOfAnswer({ status: 200, body })
  expect(answerOf({ Note: { id: "1", text: "2" } })).toEqual([])
  expect(answerOf({ Note: { id: "one", text: "2" } })).toHaveLength(1)
  const requestOf = (body: unknown) => problemsOfRequest({ pathParameters: {}, query: new URLSearchParams(), body })
  expect(requestOf({ Note: { text: "2" } })).toEqual([])
  expect(requestOf({ Note: { text: "2", size: "3" } })).toHaveLength(1)
})

describeIfPossible("the documents of the vendors", missingVendorData, () => {
  for (const [id, operation] of [
    ["cloudflare", "POST /zones/{zone_id}/dns_records"],
    ["digitalocean", "POST /v2/domains/{domain_name}/records"],
    ["hetzner", "POST /zones/{id_or_name}/rrsets"],
    ["netlify", "POST /dns_zones/{zone_id}/dns_records"]
  ] as const)
    test(`${id} refuses a number as a record`, async () => {
      const document = await readVendorDocument(id)
      const request = { pathParameters: {}, query: new URLSearchParams(), body: 1 }
      expect(document.operation(operation).problemsOfRequest(request)).not.toEqual([])
    })
})
