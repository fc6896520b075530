import { inQuery, listOf, objectOf, ofJson, text } from "../../../support/vendors/documentShapes.ts"
import { jsonAnswers, makeVendorDocument } from "../../../support/vendors/VendorDocument.ts"

const between = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum })
const number = between(0, 65_535)
/** `hostNameValue`. */
const hostName = { ...text, maxLength: 253, pattern: "^(@|\\*|([*_]\\.)?[\\w-]+(\\.[\\w-]+)*)$" }
const label = { ...text, minLength: 2, maxLength: 63, pattern: "^_[a-zA-Z0-9-]+$" }

/** The members of each type that the fake stores, all of them required. */
const members: Readonly<Record<string, object>> = {
  A: { address: { ...text, format: "ipv4" } },
  AAAA: { address: { ...text, format: "ipv6" } },
  ALIAS: { aliasName: hostName },
  CAA: {
    flag: { enum: [0, 128] },
    tag: { enum: ["issue", "issuewild", "iodef"] },
    value: { ...text, minLength: 1, maxLength: 256, pattern: "^[ -~]+$" }
  },
  CNAME: { cname: hostName },
  MX: { exchange: hostName, preference: number },
  NS: { nameserver: hostName },
  PTR: { pointer: hostName },
  SRV: {
    service: label,
    protocol: label,
    priority: number,
    weight: number,
    port: between(1, 65_535),
    target: hostName
  },
  TXT: { value: { ...text, minLength: 1, maxLength: 65_535 } }
}

const ttl = between(60, 3600)

/** Items of each type, with members that may be absent. */
const itemsWith = (optional: object = {}) => ({
  oneOf: Object.entries(members).map(([type, own]) => {
    const item = objectOf({ type: { enum: [type] }, name: hostName, ...own })
    return { ...item, properties: { ...item.properties, ...optional }, additionalProperties: false }
  })
})

/** Those that products add may have types and members that the fake does not take. */
const shown = objectOf({
  type: { ...text, maxLength: 5 },
  name: hostName,
  /** `custom`, `product` and `personalNs`; Spaceship's SDK spells the last one `personalNS`. */
  group: objectOf({ type: text })
})

const errors = jsonAnswers(objectOf({ detail: text }), 400, 401, 403, 404, 422, 429, 500)
const written = { 204: {}, ...errors }

/**
 * Spaceship's OpenAPI document of its DNS records (docs.spaceship.dev), as a client of another author keeps it
 * (community-sdks/spaceship-php).
 */
export const spaceshipDocument = makeVendorDocument({
  openapi: "3.0.0",
  paths: {
    "/v1/dns/records/{domain}": {
      get: {
        parameters: [
          { ...inQuery("take", between(1, 500)), required: true },
          { ...inQuery("skip", between(0, 2_147_483_647)), required: true },
          inQuery("orderBy", listOf({ enum: ["type", "-type", "name", "-name"] }, { maxItems: 1 }))
        ],
        responses: { 200: ofJson(objectOf({ items: listOf(shown), total: { type: "integer" } })), ...errors }
      },
      put: {
        requestBody: {
          required: true,
          ...ofJson({
            type: "object",
            required: ["items"],
            properties: {
              force: { type: "boolean" },
              items: listOf(itemsWith({ ttl }), { minItems: 1, maxItems: 500 })
            }
          })
        },
        responses: written
      },
      delete: {
        requestBody: { required: true, ...ofJson(listOf(itemsWith(), { minItems: 1, maxItems: 500 })) },
        responses: written
      }
    }
  }
})
