import { inQuery, integer, listOf, objectOf, ofJson, takes, text } from "../../../support/vendors/documentShapes.ts"
import { makeVendorDocument } from "../../../support/vendors/VendorDocument.ts"

/*
 * deSEC publishes no OpenAPI document. These shapes are from its documentation (desec-io/desec-stack, docs/dns/domains.rst,
 * docs/dns/rrsets.rst "Field Reference" and "Field requirements", docs/auth/tokens.rst for 403, docs/rate-limits.rst for
 * 429), its code (api/desecapi/serializers/{domains,records}.py at 013e03f and 0d175a1, exception_handlers.py for 409) and
 * the recordings, whose sets have these members and no others.
 */

const times = { created: { ...text, format: "date-time" }, touched: { ...text, format: "date-time" } }
const place = { domain: text, subname: { ...text, maxLength: 178 }, name: { ...text, pattern: "\\.$" } }
const values = { type: { ...text, pattern: "^[A-Z][A-Z0-9]*$" }, ttl: integer }

const setWith = (records: object, more: object = {}) =>
  objectOf({ ...times, ...place, ...values, records: listOf(text, records) }, { additionalProperties: false, ...more })
const set = setWith({ minItems: 1, uniqueItems: true })

/** What is read-only may be sent, as the recordings do. */
const change = (...required: ReadonlyArray<string>) => setWith({ maxItems: 4091 }, { required })

const published = { type: ["string", "null"], format: "date-time" }
const domain = objectOf({ ...times, keys: listOf({}), minimum_ttl: integer, name: text, published })

const detail = ofJson(objectOf({ detail: text }))
/** django-rest-framework: sentences, also by field, or one object of them for each item of a bulk request. */
const refused = ofJson({ anyOf: [{ type: "object" }, listOf({ type: "object" })] })
const answers = (own: object) => ({ responses: { "401": detail, "403": detail, "404": detail, "429": detail, ...own } })
const writes = (own: object) => answers({ "400": refused, "409": detail, ...own })

/** The operations that the adapter, the recordings and the judge use. */
export const desecDocument = makeVendorDocument({
  openapi: "3.1.0",
  paths: {
    // The recordings have lost the members of the domain.
    "/domains/{name}/": { get: answers({ "200": ofJson({ anyOf: [domain, { type: "object", maxProperties: 0 }] }) }) },
    "/domains/{name}/rrsets/": {
      get: {
        parameters: ["cursor", "subname", "type"].map((name) => inQuery(name)),
        ...answers({ "200": ofJson(listOf(set, { maxItems: 500 })), "400": detail })
      },
      post: { ...takes(change()), ...writes({ "201": ofJson(set) }) },
      patch: { ...takes(listOf(change("type"))), ...writes({ "200": ofJson(listOf(set)) }) }
    },
    "/domains/{name}/rrsets/{subname}/{type}/": {
      get: answers({ "200": ofJson(set) }),
      patch: { ...takes(change()), ...writes({ "200": ofJson(set), "204": {} }) },
      delete: writes({ "204": {} })
    }
  }
})
