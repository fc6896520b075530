import { type DocumentPatch, patchDocument, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"

const ofJson = (schema: object) => ({ content: { "application/json": { schema } } })
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const ofObject = (properties: object, more: object = {}) => ({ type: "object", properties, ...more })
const listOf = (name: string, more: object = {}) => ({ type: "array", items: { ...named(name), ...more } })
const succeeding = (result: object) =>
  ofJson({ allOf: [named("dns-records_api-response-common")], required: ["result"], properties: { result } })

const flag = { type: "boolean" }
const inZone = [{ in: "path", name: "zone_id", required: true, schema: named("dns-records_identifier") }]

/** The document asks a failure also to be a success; its service answers with the failure alone (recording, 81058). */
const failures = { "4xx": ofJson({ allOf: null, ...named("dns-records_api-response-common-failure") }) }
const failing = (...methods: ReadonlyArray<string>) =>
  Object.fromEntries(methods.map((method) => [method, { responses: failures }]))

/** The data of a record must have every field: the document requires none, and allows others. */
const closeData = ({ properties }: any): DocumentPatch => {
  const isNeeded = (field: string) => properties[field].deprecated !== true && properties[field].default === undefined
  return { properties: { data: { required: Object.keys(properties).filter(isNeeded), additionalProperties: false } } }
}

/** npm cloudflare 7.3.0, resources/dns/records.d.ts, CNAMERecord.Settings; in the recordings too. */
const settings = ofObject({ flatten_cname: flag, ipv4_only: flag, ipv6_only: flag }, { additionalProperties: false })

const patchRecords = (schemas: any): DocumentPatch =>
  Object.fromEntries(
    Object.entries<any>(schemas).flatMap(([name, { allOf }]) => {
      const data = allOf?.[0]?.properties?.data
      if (data === undefined && name !== "dns-records_CNAMERecord") return []
      const patch = data === undefined ? { properties: { settings } } : closeData(data)
      return [[name, { allOf: [patchDocument(allOf[0], patch), ...allOf.slice(1)] }]]
    })
  )

const patch = ({ components: { schemas } }: any): DocumentPatch => {
  const [one, input] = ["dns-records_dns-record", "dns-records_dns-record-input"]
  const [closed, identified] = [{ unevaluatedProperties: false }, { required: ["id"], unevaluatedProperties: false }]
  const removed = { type: "array", items: ofObject({ id: named("dns-records_identifier") }, identified) }
  return {
    paths: {
      "/zones/{zone_id}/dns_records": failing("get", "post"),
      "/zones/{zone_id}/dns_records/{dns_record_id}": failing("get", "delete", "patch", "put"),
      // npm cloudflare 7.3.0, resources/dns/settings/zone.d.ts: ZoneGetResponse.
      "/zones/{zone_id}/dns_settings": {
        get: {
          parameters: inZone,
          responses: {
            ...failures,
            200: succeeding(
              ofObject(
                {
                  flatten_all_cnames: flag,
                  foundation_dns: flag,
                  ns_ttl: { type: "number" },
                  zone_mode: { type: "string" }
                },
                { required: ["flatten_all_cnames"] }
              )
            )
          }
        }
      },
      // npm cloudflare 7.3.0, resources/dns/records.d.ts: RecordBatchParams, BatchPatch, BatchPut, RecordBatchResponse.
      "/zones/{zone_id}/dns_records/batch": {
        post: {
          parameters: inZone,
          requestBody: {
            required: true,
            ...ofJson(
              ofObject({
                deletes: removed,
                patches: listOf("dns-records_dns-record-patch-input", identified),
                puts: listOf(input, identified),
                posts: listOf(input, closed)
              })
            )
          },
          responses: {
            ...failures,
            200: succeeding(
              ofObject({ deletes: listOf(one), patches: listOf(one), puts: listOf(one), posts: listOf(one) })
            )
          }
        }
      }
    },
    components: {
      schemas: {
        ...patchRecords(schemas),
        // Recording: every record without a comment has `"comment": null`.
        "dns-records_comment": { nullable: true },
        // DNSControl, providers/cloudflare/rest.go, fetchAllZones: the names of zones are listed in Unicode.
        // Recording: the owner has `"id": null`.
        zones_zone: {
          properties: {
            name: { pattern: null },
            owner: { properties: { id: { $ref: null, type: "string", nullable: true } } }
          }
        }
      }
    }
  }
}

/** Cloudflare's document of 2024-08, with what it lacks and what its own service contradicts. */
export const readCloudflareDocument = () => readVendorDocument("cloudflare", patch)
