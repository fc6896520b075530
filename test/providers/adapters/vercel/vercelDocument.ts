import { inQuery, objectOf, ofJson, text } from "../../../support/vendors/documentShapes.ts"
import { type DocumentPatch, jsonAnswers, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"

const schemaOf = ({ content }: any) => content["application/json"].schema

/** An error, of which the document says nothing but its status. */
const anError = objectOf({ error: objectOf({ code: text, message: text }) })

const errors = jsonAnswers(anError, 400, 401, 402, 403, 404, 409)

/** The teams of the account, which the document leaves out. */
const teams = {
  parameters: [inQuery("limit")],
  responses: { ...errors, 200: ofJson({ type: "object", required: ["teams"] }) }
}

const patch = ({ paths }: any): DocumentPatch => {
  const list = schemaOf(paths["/v4/domains/{domain}/records"].get.responses[200])
  const newRecord = schemaOf(paths["/v2/domains/{domain}/records"].post.requestBody)
  return {
    paths: {
      "/v2/teams": { get: teams },
      "/v5/domains/{domain}": { get: { responses: errors } },
      "/v4/domains/{domain}/records": {
        // Two of the schemas fit each list, of which only one may.
        get: { responses: { ...errors, 200: ofJson({ oneOf: null, anyOf: list.oneOf }) } }
      },
      "/v2/domains/{domain}/records": {
        post: {
          responses: errors,
          // Each record has a name, and the schemas of an SRV, a TXT and an HTTPS require it without having it.
          requestBody: ofJson({
            anyOf: newRecord.anyOf.map((schema: any) => ({
              ...schema,
              properties: { name: text, ...schema.properties }
            }))
          })
        }
      },
      "/v1/domains/records/{recordId}": { patch: { responses: errors } },
      "/v2/domains/{domain}/records/{recordId}": { delete: { responses: errors } }
    }
  }
}

/** Vercel's document, with what it lacks. */
export const readVercelDocument = () => readVendorDocument("vercel", patch)
