import type { FakeVendorSpec } from "./FakeVendor.ts"
import { makeVendorDocument } from "./VendorDocument.ts"

const note = {
  type: "object",
  required: ["id", "text"],
  properties: { id: { type: "integer", readOnly: true }, text: { type: "string" } }
}

/** A vendor of notes, to test what the fakes of all vendors share. */
export const exampleDocument = {
  openapi: "3.0.0",
  components: {
    schemas: {
      Note: { ...note, properties: { ...note.properties, colour: { type: "string", enum: ["red"], nullable: true } } },
      Notes: {
        type: "object",
        required: ["notes"],
        properties: { notes: { type: "array", items: { $ref: "#/components/schemas/Note" } } }
      }
    },
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "integer" } } }
  },
  paths: {
    "/notes": {
      get: {
        parameters: [
          {
            name: "per_page",
            in: "query",
            schema: { type: "integer", maximum: 100, minimum: 0, exclusiveMinimum: true }
          }
        ],
        responses: {
          "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Notes" } } } },
          "401": {}
        }
      },
      post: {
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } }
        },
        responses: {
          "201": { content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } } },
          "401": {}
        }
      }
    },
    "/notes/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      get: {
        responses: { "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Note" } } } } }
      },
      delete: { responses: { "204": {}, "4XX": {} } }
    }
  }
}

export interface Note {
  readonly id: number
  readonly text: string
}

/** Knows the token `right`; `GET /notes/{id}` answers with a text that is a number, which the document does not allow. */
export const exampleVendor: FakeVendorSpec<ReadonlyArray<Note>> = {
  baseUrl: "https://api.notes.example/v1",
  initial: [{ id: 1, text: "first" }],
  document: makeVendorDocument(exampleDocument),
  authenticate: (headers) => (headers.get("authorization") === "Bearer right" ? undefined : { status: 401 }),
  lists: ["GET /notes"],
  refuse: (status, problems) => ({ status: status === 400 ? 422 : status, text: problems.join("\n") }),
  headers: ({ number }) => ({ "x-remaining": String(100 - number) }),
  operations: {
    "GET /notes": (_, notes) => ({ status: 200, body: { notes } }),
    "POST /notes": ({ body }: { readonly body: any }, notes) => {
      const created = { id: notes.length + 1, text: body.text }
      return { status: 201, body: created, state: [...notes, created] }
    },
    "GET /notes/{id}": () => ({ status: 200, body: { id: 1, text: 1 } }),
    "DELETE /notes/{id}": ({ pathParameters }, notes) => ({
      status: 204,
      state: notes.filter(({ id }) => String(id) !== pathParameters["id"])
    })
  }
}
