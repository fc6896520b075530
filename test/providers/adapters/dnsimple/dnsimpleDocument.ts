import { inQuery, integer, objectOf, ofJson, text } from "../../../support/vendors/documentShapes.ts"
import { type DocumentPatch, jsonAnswers, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"

const records = "/{account}/zones/{zone}/records"

/** Errors of all operations, by the vendor's overview of its API; the document has the form of another one for 400. */
const errors = jsonAnswers(objectOf({ message: text }), 400, 401, 402, 403, 404, 412, 429)
const withErrors = { responses: { ...errors, 400: { $ref: null, ...errors[400] } } }

/** Pages are described in the overview, too. */
const paging = [inQuery("page", integer), inQuery("per_page", { type: "integer", maximum: 100 })]

/** The page about records says that the list of linked zones has this word for the zone at DNSimple itself. */
const linkedZones = { integrated_zones: { items: { type: null, anyOf: [integer, { const: "dnsimple" }] } } }
const withLinkedZones = ofJson({ properties: linkedZones })

const patch = ({ paths }: any): DocumentPatch => ({
  components: { requestBodies: { ZoneRecordCreate: withLinkedZones, ZoneRecordUpdate: withLinkedZones } },
  paths: {
    "/whoami": { get: withErrors },
    "/accounts": { get: withErrors },
    "/{account}/zones/{zone}": { get: withErrors },
    [records]: { get: { ...withErrors, parameters: [...paths[records].get.parameters, ...paging] }, post: withErrors },
    [`${records}/{zonerecord}`]: { patch: withErrors, delete: withErrors }
  }
})

/** DNSimple's document, with what its pages say besides. */
export const readDnsimpleDocument = () => readVendorDocument("dnsimple", patch)
