import { inQuery, ofJson, takes, text } from "../../../support/vendors/documentShapes.ts"
import { jsonAnswers, makeVendorDocument } from "../../../support/vendors/VendorDocument.ts"

const number = { type: "integer", minimum: 0, maximum: 65_535 }

/** A record, by "DNS Record" in GoDaddy's document of version 3 (3.1.0), which its own program vendors (godaddy/cli). */
const record = {
  type: "object",
  required: ["name", "type", "data", "ttl"],
  properties: {
    recordId: { ...text, readOnly: true },
    name: { ...text, minLength: 1, maxLength: 255 },
    type: text,
    data: { ...text, minLength: 1, maxLength: 512 },
    ttl: { type: "integer", minimum: 600, maximum: 86_400 },
    priority: number,
    weight: number,
    port: number,
    service: text,
    protocol: text,
    flag: { ...number, maximum: 255 },
    tag: text
  }
}

const error = {
  type: "object",
  required: ["name", "correlationId", "message"],
  properties: { name: text, correlationId: text, message: text, details: { type: "array" } }
}

const errors = jsonAnswers(error, 400, 401, 403, 404, 409, 422, 429)

/** The three operations on records that the document has: it has none that replaces a record. */
export const goDaddyDocument = makeVendorDocument({
  openapi: "3.0.3",
  paths: {
    "/v3/domains/zones/{zone}/dns-records": {
      get: {
        parameters: [
          inQuery("page", { type: "integer", minimum: 1 }),
          inQuery("pageSize", { type: "integer", minimum: 1, maximum: 100 }),
          inQuery("totalRequired", { type: "boolean" }),
          inQuery("type", text),
          inQuery("name", text)
        ],
        responses: {
          200: ofJson({
            type: "object",
            required: ["items", "links"],
            properties: {
              items: { type: "array", items: record },
              totalItems: { type: "integer", minimum: 1 },
              totalPages: { type: "integer", minimum: 1 },
              links: { type: "array", items: { type: "object", required: ["rel", "href"] } }
            }
          }),
          ...errors
        }
      },
      post: { ...takes(record), responses: { 201: ofJson(record), ...errors } }
    },
    "/v3/domains/zones/{zone}/dns-records/{recordId}": { delete: { responses: { 204: {}, ...errors } } }
  }
})
