import { readVendorDocument, type VendorDocument } from "../../../support/vendors/VendorDocument.ts"

const ofJson = (schema: object) => ({ content: { "application/json": { schema } } })

/** An error, of which the document says nothing but its status. */
const anError = {
  description: "an error",
  ...ofJson({
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message"],
        properties: { code: { type: "string" }, message: { type: "string" } }
      }
    }
  })
}

const errors = { 400: anError, 401: anError, 402: anError, 403: anError, 404: anError, 409: anError }

const [text, integer, nullableInteger] = [{ type: "string" }, { type: "integer" }, { type: ["integer", "null"] }]

/** Two of the schemas of the document fit each list, of which only one may. */
const list = {
  oneOf: null,
  type: "object",
  required: ["records", "pagination"],
  properties: {
    pagination: { $ref: "#/components/schemas/Pagination" },
    records: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "slug", "name", "type", "value", "creator", "created", "updated", "createdAt", "updatedAt"],
        properties: {
          id: text,
          name: text,
          value: text,
          creator: text,
          created: nullableInteger,
          mxPriority: integer,
          priority: integer
        }
      }
    }
  }
}

/** The document requires a name of each record, and for an SRV, TXT or HTTPS does not have it. */
const newRecord = {
  anyOf: null,
  type: "object",
  additionalProperties: false,
  required: ["type", "name"],
  properties: {
    name: text,
    ttl: { type: "integer", minimum: 60, maximum: 2_147_483_647 },
    value: text,
    mxPriority: { type: "integer", minimum: 0, maximum: 65_535 },
    srv: {
      type: "object",
      additionalProperties: false,
      required: ["weight", "port", "priority", "target"],
      properties: { weight: integer, port: integer, priority: integer, target: text }
    },
    comment: text
  },
  oneOf: [
    { required: ["value"], properties: { type: { not: { enum: ["MX", "SRV"] } }, mxPriority: false } },
    { required: ["value", "mxPriority"], properties: { type: { const: "MX" } } },
    { required: ["srv"], properties: { type: { const: "SRV" }, value: false } }
  ]
}

/** The teams of the account, which the document leaves out. */
const teams = {
  parameters: [{ name: "limit", in: "query", schema: text }],
  responses: { ...errors, 200: { description: "the teams", ...ofJson({ type: "object", required: ["teams"] }) } }
}

/** Vercel's document, with what it lacks. */
export const readVercelDocument = (): Promise<VendorDocument> =>
  readVendorDocument("vercel", {
    paths: {
      "/v2/teams": { get: teams },
      "/v5/domains/{domain}": { get: { responses: errors } },
      "/v4/domains/{domain}/records": { get: { responses: { ...errors, 200: ofJson(list) } } },
      "/v2/domains/{domain}/records": { post: { requestBody: ofJson(newRecord), responses: errors } },
      "/v1/domains/records/{recordId}": { patch: { responses: errors } },
      "/v2/domains/{domain}/records/{recordId}": { delete: { responses: errors } }
    }
  })
