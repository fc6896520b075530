import { makeVendorDocument } from "../../../support/vendors/VendorDocument.ts"

/*
 * deSEC publishes no OpenAPI document. These shapes are from its documentation (desec-io/desec-stack, docs/dns/domains.rst
 * and docs/dns/rrsets.rst), its serializers (api/desecapi/serializers/{domains,records}.py at 013e03f and 0d175a1) and
 * the recordings, whose sets have these members and no others.
 */

/** docs/dns/rrsets.rst, "RRset Field Reference"; all members are in every recorded set. */
const rrset = {
  type: "object",
  required: ["created", "domain", "subname", "name", "records", "ttl", "type", "touched"],
  additionalProperties: false,
  properties: {
    created: { type: "string", format: "date-time" },
    domain: { type: "string" },
    subname: { type: "string", maxLength: 178 },
    name: { type: "string", pattern: "\\.$" },
    records: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string" } },
    ttl: { type: "integer" },
    type: { type: "string", pattern: "^[A-Z][A-Z0-9]*$" },
    touched: { type: "string", format: "date-time" }
  }
}

/** docs/dns/rrsets.rst, "Field requirements"; what is read-only may be sent, as the recordings do. */
const writable = { ...rrset, required: [] }

const rrsetChange = {
  ...writable,
  properties: {
    ...rrset.properties,
    records: { type: "array", maxItems: 4091, items: { type: "string" } },
    ttl: { type: "integer" }
  }
}

/** docs/dns/domains.rst, "Domain Field Reference"; `default_ttl` from the serializer. */
const domain = {
  type: "object",
  required: ["created", "keys", "minimum_ttl", "name", "published", "touched"],
  properties: {
    created: { type: "string", format: "date-time" },
    keys: { type: "array" },
    minimum_ttl: { type: "integer" },
    name: { type: "string" },
    published: { type: ["string", "null"], format: "date-time" },
    touched: { type: "string", format: "date-time" }
  }
}

/** django-rest-framework: one sentence, or sentences by field, one object for each item of a bulk request, or a list. */
const refusal = { anyOf: [{ type: "object" }, { type: "array", items: { type: ["object", "string"] } }] }
const detail = { type: "object", required: ["detail"], properties: { detail: { type: "string" } } }

const answer = (schema: object) => ({ content: { "application/json": { schema } } })
const request = (schema: object) => ({ required: true, ...answer(schema) })
const query = (...names: ReadonlyArray<string>) =>
  names.map((name) => ({ name, in: "query", schema: { type: "string" } }))
const path = (...names: ReadonlyArray<string>) =>
  names.map((name) => ({ name, in: "path", schema: { type: "string" } }))

/** 403: a policy of the token (docs/auth/tokens.rst); 429: docs/rate-limits.rst; 409: api/desecapi/exception_handlers.py. */
const errors = { "401": answer(detail), "403": answer(detail), "404": answer(detail), "429": answer(detail) }

const writeErrors = { ...errors, "400": answer(refusal), "409": answer(detail) }

/** The operations that the adapter, the recordings and the judge use. */
export const desecShapes = makeVendorDocument({
  openapi: "3.1.0",
  components: { schemas: { RRset: rrset } },
  paths: {
    "/domains/{name}/": {
      parameters: path("name"),
      get: { responses: { ...errors, "200": answer(domain) } }
    },
    "/domains/{name}/rrsets/": {
      parameters: path("name"),
      get: {
        parameters: query("cursor", "subname", "type"),
        responses: { ...errors, "200": answer({ type: "array", maxItems: 500, items: rrset }), "400": answer(detail) }
      },
      post: { requestBody: request(rrsetChange), responses: { ...writeErrors, "201": answer(rrset) } },
      patch: {
        requestBody: request({ type: "array", items: { ...rrsetChange, required: ["type"] } }),
        responses: { ...writeErrors, "200": answer({ type: "array", items: rrset }) }
      }
    },
    "/domains/{name}/rrsets/{subname}/{type}/": {
      parameters: path("name", "subname", "type"),
      get: { responses: { ...errors, "200": answer(rrset) } },
      patch: { requestBody: request(rrsetChange), responses: { ...writeErrors, "200": answer(rrset), "204": {} } },
      delete: { responses: { ...writeErrors, "204": {} } }
    }
  }
})
