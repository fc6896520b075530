import {
  type DocumentPatch,
  patchDocument,
  readVendorDocument,
  type VendorDocument
} from "../../../support/vendors/VendorDocument.ts"
import { vendorData } from "../../../support/vendors/vendorData.ts"

/** Cloudflare's document of 2024-08, with what it lacks and what its own service contradicts. */
export const readCloudflareDocument = async (): Promise<VendorDocument> =>
  readVendorDocument(
    "cloudflare",
    patchDocument(patch, { components: { schemas: { ...(await closeRecordData()), ...(await addAliasSettings()) } } })
  )

/** npm cloudflare 7.3.0, resources/dns/records.d.ts, CNAMERecord.Settings; in the recordings too. */
const addAliasSettings = async (): Promise<DocumentPatch> => {
  const { components } = await Bun.file(`${vendorData}openapi/cloudflare.openapi.json`).json()
  const name = "dns-records_CNAMERecord"
  const [first, ...rest] = components.schemas[name].allOf
  const settings = {
    type: "object",
    properties: {
      flatten_cname: { type: "boolean" },
      ipv4_only: { type: "boolean" },
      ipv6_only: { type: "boolean" }
    },
    additionalProperties: false
  }
  return { [name]: { allOf: [patchDocument(first, { properties: { settings } }), ...rest] } }
}

/** The schemas of records whose `data` must have every field: the document requires none, and allows others. */
const closeRecordData = async (): Promise<DocumentPatch> => {
  const { components } = await Bun.file(`${vendorData}openapi/cloudflare.openapi.json`).json()
  const records = Object.entries<any>(components.schemas).filter(([, { allOf }]) => allOf?.[0]?.properties?.data)
  return Object.fromEntries(
    records.map(([name, { allOf }]) => {
      const { properties } = allOf[0].properties.data
      const required = Object.keys(properties).filter(
        (field) => properties[field].deprecated !== true && properties[field].default === undefined
      )
      const closed = patchDocument(allOf[0], { properties: { data: { required, additionalProperties: false } } })
      return [name, { allOf: [closed, ...allOf.slice(1)] }]
    })
  )
}

const schemas = "#/components/schemas"

/** The document asks a failure also to be a success; its service answers with the failure alone (recording, 81058). */
const failureAlone = {
  "4xx": {
    content: {
      "application/json": { schema: { allOf: null, $ref: `${schemas}/dns-records_api-response-common-failure` } }
    }
  }
}

const identified = (input: string) => ({
  type: "array",
  items: { $ref: `${schemas}/${input}`, required: ["id"], unevaluatedProperties: false }
})

const writtenRecords = { type: "array", items: { $ref: `${schemas}/dns-records_dns-record` } }

const patch: DocumentPatch = {
  paths: {
    "/zones/{zone_id}/dns_records": { get: { responses: failureAlone }, post: { responses: failureAlone } },
    "/zones/{zone_id}/dns_records/{dns_record_id}": {
      get: { responses: failureAlone },
      delete: { responses: failureAlone },
      patch: { responses: failureAlone },
      put: { responses: failureAlone }
    },
    // npm cloudflare 7.3.0, resources/dns/settings/zone.d.ts: ZoneGetResponse.
    "/zones/{zone_id}/dns_settings": {
      get: {
        parameters: [
          { in: "path", name: "zone_id", required: true, schema: { $ref: `${schemas}/dns-records_identifier` } }
        ],
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  allOf: [{ $ref: `${schemas}/dns-records_api-response-common` }],
                  required: ["result"],
                  properties: {
                    result: {
                      type: "object",
                      required: ["flatten_all_cnames"],
                      properties: {
                        flatten_all_cnames: { type: "boolean" },
                        foundation_dns: { type: "boolean" },
                        ns_ttl: { type: "number" },
                        zone_mode: { type: "string" }
                      }
                    }
                  }
                }
              }
            }
          },
          ...failureAlone
        }
      }
    },
    // npm cloudflare 7.3.0, resources/dns/records.d.ts: RecordBatchParams, BatchPatch, BatchPut, RecordBatchResponse.
    "/zones/{zone_id}/dns_records/batch": {
      post: {
        parameters: [
          { in: "path", name: "zone_id", required: true, schema: { $ref: `${schemas}/dns-records_identifier` } }
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  deletes: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["id"],
                      properties: { id: { $ref: `${schemas}/dns-records_identifier` } },
                      unevaluatedProperties: false
                    }
                  },
                  patches: identified("dns-records_dns-record-patch-input"),
                  puts: identified("dns-records_dns-record-input"),
                  posts: {
                    type: "array",
                    items: { $ref: `${schemas}/dns-records_dns-record-input`, unevaluatedProperties: false }
                  }
                }
              }
            }
          }
        },
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  allOf: [{ $ref: `${schemas}/dns-records_api-response-common` }],
                  required: ["result"],
                  properties: {
                    result: {
                      type: "object",
                      properties: {
                        deletes: writtenRecords,
                        patches: writtenRecords,
                        puts: writtenRecords,
                        posts: writtenRecords
                      }
                    }
                  }
                }
              }
            }
          },
          "4xx": {
            content: { "application/json": { schema: { $ref: `${schemas}/dns-records_api-response-common-failure` } } }
          }
        }
      }
    }
  },
  components: {
    schemas: {
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
