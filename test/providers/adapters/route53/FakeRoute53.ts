import { Effect, type Scope } from "effect"
import {
  type FakeVendor,
  type FakeVendorOptions,
  makeFakeVendor,
  type VendorOperation
} from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { type DocumentPatch, readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import { applyBatch, decodeBatch, type StoredChange } from "./changeBatch.ts"
import {
  listOrder,
  type Route53State,
  shownName,
  storedName,
  type StoredHostedZone,
  type StoredSet
} from "./route53State.ts"
import { parseDocument, xml, xmlDocument, xmlText } from "./route53Xml.ts"
import { verifySignature } from "./verifySignature.ts"

/** This key may do everything, and `readOnlyKey` may only read. */
export const validKey = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
}
export const readOnlyKey = {
  accessKeyId: "AKIAREADONLY7EXAMPLE",
  secretAccessKey: "read+only/K7MDENG/bPxRfiCYEXAMPLEKEY1"
}

/** The key of a session of a role, which needs its token. */
export const sessionKey = {
  accessKeyId: "ASIASESSION7EXAMPLE0",
  secretAccessKey: "session/K7MDENG/bPxRfiCYEXAMPLEKEY000001",
  sessionToken: "token-of-the-session"
}

const answer = (status: number, text: string): VendorAnswer => ({
  status,
  headers: { "content-type": "text/xml" },
  text
})

/** An error as Route 53 answers it, for `injectFault` too. */
export const errorAnswer = (status: number, code: string, message: string): VendorAnswer =>
  answer(
    status,
    xmlDocument(
      "ErrorResponse",
      xml("Error", xmlText("Type", "Sender"), xmlText("Code", code), xmlText("Message", message)),
      xmlText("RequestId", "d9642252-1ee9-4442-b5c2-4ee631850496")
    )
  )

/** Too many calls of an account in a second: developer guide, "Throttling for Amazon Route 53 API requests". */
export const throttled = errorAnswer(400, "Throttling", "Rate exceeded")

/** Route 53 still carries out another batch for the zone. */
export const busy = errorAnswer(
  400,
  "PriorRequestNotComplete",
  "The request was rejected because Route 53 was still processing a prior request."
)

/** A running fake of Route 53. */
export type FakeRoute53 = FakeVendor<Route53State>

/** Route 53's API of hosted zones and their sets, without creating and deleting zones. */
export const makeFakeRoute53 = (
  initial: Route53State,
  options?: FakeVendorOptions
): Effect.Effect<FakeRoute53, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => readVendorDocument("route53", documentPatch)),
    (document) =>
      makeFakeVendor(
        {
          baseUrl: "https://route53.amazonaws.com",
          initial,
          document,
          authenticate,
          operations,
          // They lag for a test of more than what Route 53 does: they are strongly consistent with changes (the .NET SDK's page).
          lists: ["GET /2013-04-01/hostedzone/{Id}/rrset"],
          refuse: (status, problems) =>
            status === 404
              ? errorAnswer(404, "UnknownOperationException", "")
              : errorAnswer(400, "InvalidInput", problems.join("; ")),
          decodeBody: (text) => ({ text, changes: decodeBatch(parseDocument(text)) })
        },
        options
      )
  )

/**
 * The document has statuses of its own (480 and above) instead of those that Route 53 sends, which are in the recording
 * and in the knowledge center ("How can I avoid Route 53 API throttling errors?"). AWS's own SDK posts to `rrset` without
 * the slash at its end, which lexicon has.
 */
const otherStatuses = Object.fromEntries([400, 403, 404, 500].map((status) => [status, { description: "an error" }]))
const documentPatch: DocumentPatch = {
  paths: {
    "/2013-04-01/hostedzonesbyname": { get: { responses: otherStatuses } },
    "/2013-04-01/hostedzone/{Id}": { get: { responses: otherStatuses } },
    "/2013-04-01/hostedzone/{Id}/rrset": {
      get: { responses: otherStatuses },
      post: {
        requestBody: { required: true, content: { "text/xml": {} } },
        responses: { ...otherStatuses, 200: { description: "Success" } }
      }
    },
    "/2013-04-01/hostedzone/{Id}/rrset/": { post: { responses: otherStatuses } }
  }
}

const authenticate = (headers: Headers, { body, method, path, query }: VendorCall): VendorAnswer | undefined => {
  const text = isBatch(body) ? body.text : ""
  const { isValid, keyId } = verifySignature({ service: "route53", method, path, query, headers, body: text }, (id) =>
    secrets.get(id)
  )
  if (!secrets.has(keyId))
    return errorAnswer(403, "InvalidClientTokenId", "The security token included in the request is invalid.")
  if (keyId.startsWith("ASIA") && headers.get("x-amz-security-token") !== sessionKey.sessionToken)
    return errorAnswer(403, "InvalidClientTokenId", "The security token included in the request is invalid.")
  if (!isValid)
    return errorAnswer(
      403,
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided."
    )
  return keyId === readOnlyKey.accessKeyId && method !== "GET"
    ? errorAnswer(
        403,
        "AccessDenied",
        "User: arn:aws:iam::123456789012:user/dns is not authorized to perform this action"
      )
    : undefined
}

const secrets = new Map(
  [validKey, readOnlyKey, sessionKey].map(({ accessKeyId, secretAccessKey }) => [accessKeyId, secretAccessKey])
)

const isBatch = (body: unknown): body is { readonly text: string; readonly changes: ReadonlyArray<StoredChange> } =>
  typeof body === "object" && body !== null && "changes" in body

/** Answers 404 for a zone that the account does not have. */
const inZone =
  (
    operation: (
      call: VendorCall,
      zone: StoredHostedZone,
      state: Route53State
    ) => ReturnType<VendorOperation<Route53State>>
  ): VendorOperation<Route53State> =>
  (call, state) => {
    const id = call.pathParameters["Id"] ?? ""
    const zone = state.zones[id]
    return zone === undefined
      ? errorAnswer(404, "NoSuchHostedZone", `No hosted zone found with ID: ${id}`)
      : operation(call, zone, state)
  }

const operations: Readonly<Record<string, VendorOperation<Route53State>>> = {
  "GET /2013-04-01/hostedzonesbyname": ({ query }, { zones }) => {
    const first = storedName(query.get("dnsname") ?? "")
    const found = Object.entries(zones)
      .filter(([, { name }]) => listOrder({ name, type: "" }) >= listOrder({ name: first, type: "" }))
      .toSorted(([, a], [, b]) => (listOrder({ ...a, type: "" }) < listOrder({ ...b, type: "" }) ? -1 : 1))
    const page = found.slice(0, Number(query.get("maxitems") ?? 100))
    return answer(
      200,
      xmlDocument(
        "ListHostedZonesByNameResponse",
        xml("HostedZones", ...page.map(([id, zone]) => toXmlZone(id, zone))),
        xmlText("IsTruncated", page.length < found.length),
        xmlText("MaxItems", query.get("maxitems") ?? 100)
      )
    )
  },

  "GET /2013-04-01/hostedzone/{Id}": inZone(({ pathParameters }, zone) =>
    answer(
      200,
      xmlDocument(
        "GetHostedZoneResponse",
        toXmlZone(pathParameters["Id"] ?? "", zone),
        zone.isPrivate
          ? xml("VPCs", xml("VPC", xmlText("VPCRegion", "us-east-1"), xmlText("VPCId", "vpc-1a2b3c4d")))
          : xml("DelegationSet", xml("NameServers", ...zone.nameServers.map((name) => xmlText("NameServer", name))))
      )
    )
  ),

  "GET /2013-04-01/hostedzone/{Id}/rrset": inZone(({ query }, { sets }) => {
    const [name, type, identifier] = ["name", "type", "identifier"].map((key) => query.get(key) ?? undefined)
    if (name === undefined && type !== undefined) return errorAnswer(400, "InvalidInput", "a type needs a name")
    const first =
      name === undefined ? "" : listOrder({ name: storedName(name), type: type ?? "", identifier: identifier ?? "" })
    const found = sets
      .map((set) => ({ ...set, order: listOrder(set) }))
      .filter(({ order }) => order >= first)
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    const maxItems = Math.min(300, Number(query.get("maxitems") ?? 300))
    const next = found[maxItems]
    return answer(
      200,
      xmlDocument(
        "ListResourceRecordSetsResponse",
        xml("ResourceRecordSets", ...found.slice(0, maxItems).map(toXmlSet)),
        xmlText("IsTruncated", next !== undefined),
        xmlText("NextRecordName", next && shownName(next.name)),
        xmlText("NextRecordType", next?.type),
        xmlText("NextRecordIdentifier", next?.identifier),
        xmlText("MaxItems", maxItems)
      )
    )
  }),

  "POST /2013-04-01/hostedzone/{Id}/rrset": (call, state) => changeSets(call, state),
  "POST /2013-04-01/hostedzone/{Id}/rrset/": (call, state) => changeSets(call, state)
}

const changeSets = inZone(({ body, now, pathParameters }, zone, state) => {
  const id = pathParameters["Id"] ?? ""
  const result = applyBatch(zone, isBatch(body) ? body.changes : [])
  if (!("sets" in result)) return errorAnswer(400, "InvalidChangeBatch", `[${result.join(", ")}]`)
  const info = [
    xmlText("Id", "/change/C05247921ENZ8XYAYWV1J"),
    xmlText("Status", "PENDING"),
    xmlText("SubmittedAt", new Date(now).toISOString())
  ]
  return {
    ...answer(200, xmlDocument("ChangeResourceRecordSetsResponse", xml("ChangeInfo", ...info))),
    state: { ...state, zones: { ...state.zones, [id]: result } }
  }
})

const toXmlZone = (id: string, { isPrivate, linkedService, name, sets }: StoredHostedZone): string =>
  xml(
    "HostedZone",
    xmlText("Id", `/hostedzone/${id}`),
    xmlText("Name", shownName(name)),
    xmlText("CallerReference", "01f9750a-3dfe-4a6a-95fd-519b1359643f"),
    xml("Config", xmlText("Comment", "Test"), xmlText("PrivateZone", isPrivate)),
    xmlText("ResourceRecordSetCount", sets.length),
    linkedService === undefined ? "" : xml("LinkedService", xmlText("ServicePrincipal", linkedService))
  )

const toXmlSet = ({ alias, healthCheckId, identifier, name, ttl, type, values, weight }: StoredSet): string =>
  xml(
    "ResourceRecordSet",
    xmlText("Name", shownName(name)),
    xmlText("Type", type),
    xmlText("SetIdentifier", identifier),
    xmlText("Weight", weight),
    xmlText("TTL", ttl),
    alias === undefined
      ? xml("ResourceRecords", ...values.map((value) => xml("ResourceRecord", xmlText("Value", value))))
      : xml(
          "AliasTarget",
          xmlText("HostedZoneId", alias.zoneId),
          xmlText("DNSName", alias.target),
          xmlText("EvaluateTargetHealth", alias.evaluatesHealth)
        ),
    xmlText("HealthCheckId", healthCheckId)
  )
