import { Effect, Option, Schema } from "effect"
import { normalizeName } from "../../../domain/DomainName.ts"
import type { MakeCatalogClient } from "../../catalog/catalogAdapters.ts"
import { checkDelegation, defaultTimeouts, type ZoneRequest } from "../../ProviderClient.ts"
import { toOpenFailure } from "../../ProviderError.ts"
import { ProviderFailure, type ProviderFailureCode } from "../../ProviderFailure.ts"
import { type ListPage, readPages } from "../../readPages.ts"
import { readAccessKey } from "../../readToken.ts"
import { formatContent } from "../../writing/recordContent.ts"
import { type CheckRecord, refuseRecord } from "../../writing/requireStorable.ts"
import { makeSetwiseZoneClient } from "../../writing/setwise.ts"
import { type CallRoute53, makeRoute53Api } from "./Route53Api.ts"
import { fitsOneBatch, type Route53Set, toBatch, toRoute53Set, toRoute53Value, toStandardName } from "./route53Sets.ts"
import { encodeBatch, ResourceRecordSet } from "./route53Xml.ts"

/**
 * Makes the client of Amazon Route 53. A batch writes a whole plan or none of it, and only to sets that are as they were
 * read. Lists show it at once, also while it is `PENDING`, which is about the name servers
 * (https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListResourceRecordSets.html).
 */
export const makeRoute53Client: MakeCatalogClient = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "access_key_secret",
  openZone: Effect.fn("Route53.openZone")(function* (request) {
    const call = makeRoute53Api(http, yield* readAccessKey(request.credential, { provider: "Route 53" }), timeouts.call)
    const path = yield* findZone(call, request)
    return makeSetwiseZoneClient<Route53Set>(
      {
        limits,
        checkRecord,
        fitsOneCall: fitsOneBatch,
        readSets: () =>
          readPages<Route53Set, ListPosition>({
            readPage: (position, admits) =>
              Effect.map(
                call({ path: `${path}/rrset`, query: { ...position, maxitems: "300" }, schema: SetPage, admits }),
                toPage
              ),
            timeout: timeouts.snapshot,
            // An account has five calls a second: three of these, and two to open the zone or of somebody else.
            pause: "350 millis"
          }),
        writeSets: (setChanges) =>
          Effect.asVoid(call({ path: `${path}/rrset/`, body: encodeBatch(toBatch(setChanges)), schema: ChangeAnswer }))
      },
      request
    )
  })
})

/** Finds the path of the public zone to which the parent delegates; an account may have several of one name. */
const findZone = (call: CallRoute53, request: ZoneRequest): Effect.Effect<string, ProviderFailure> =>
  Effect.gen(function* () {
    const list = call({ path: "hostedzonesbyname", query: { dnsname: `${request.zone}.` }, schema: HostedZoneList })
    const candidates = (yield* Effect.mapError(list, toOpenFailure)).HostedZones.filter(
      ({ Config, Name }) => normalizeName(toStandardName(Name)) === request.zone && Config?.PrivateZone !== "true"
    )
    const zones = yield* Effect.forEach(candidates, ({ Id }) =>
      Effect.mapError(call({ path: Id.slice(1), schema: HostedZoneDetails }), toOpenFailure)
    )
    const { HostedZone } = yield* Effect.firstSuccessOf([
      makeFailure("authorization_zone_mismatch", `the account has no public zone ${request.zone}`),
      ...zones.map((zone) => Effect.as(checkDelegation(zone.DelegationSet?.NameServers ?? [], request), zone))
    ])
    if (HostedZone.LinkedService !== undefined)
      return yield* makeFailure("provider_zone_locked", "another service of AWS keeps the zone")
    return HostedZone.Id.slice(1)
  })

const makeFailure = (code: ProviderFailureCode, detail: string) => new ProviderFailure({ code, detail })

const HostedZone = Schema.Struct({
  Id: Schema.String.pipe(Schema.pattern(/^\/hostedzone\/\w+$/)),
  Name: Schema.String,
  Config: Schema.optional(Schema.Struct({ PrivateZone: Schema.optional(Schema.String) })),
  LinkedService: Schema.optional(Schema.Unknown)
})

/** The answer to ListHostedZonesByName. */
export const HostedZoneList = Schema.Struct({ HostedZones: Schema.Array(HostedZone) })

/** The answer to GetHostedZone. */
const HostedZoneDetails = Schema.Struct({
  HostedZone,
  DelegationSet: Schema.optional(Schema.Struct({ NameServers: Schema.Array(Schema.String) }))
})

/** Where a page of sets begins, as the query of its call. */
type ListPosition = Readonly<Record<"name" | "type" | "identifier", string | undefined>>

/** The answer to ListResourceRecordSets. */
export const SetPage = Schema.extend(
  Schema.Struct({ ResourceRecordSets: Schema.Array(ResourceRecordSet) }),
  Schema.Union(
    Schema.Struct({ IsTruncated: Schema.Literal("false") }),
    Schema.Struct({
      IsTruncated: Schema.Literal("true"),
      NextRecordName: Schema.String,
      NextRecordType: Schema.String,
      NextRecordIdentifier: Schema.optional(Schema.String)
    })
  )
)

const toPage = (page: typeof SetPage.Type): ListPage<Route53Set, ListPosition> => ({
  items: page.ResourceRecordSets.map(toRoute53Set),
  next:
    page.IsTruncated === "false"
      ? undefined
      : { name: page.NextRecordName, type: page.NextRecordType, identifier: page.NextRecordIdentifier }
})

/** The answer to ChangeResourceRecordSets. */
export const ChangeAnswer = Schema.Struct({
  ChangeInfo: Schema.Struct({ Status: Schema.Literal("PENDING", "INSYNC") })
})

const checkRecord: CheckRecord = (record) => {
  if (record.type === "NS" && record.host.startsWith("*"))
    return refuseRecord("record_type_unsupported", "Route 53 has no NS records at a wildcard")
  return toRoute53Value(formatContent(record)).length > 4000
    ? refuseRecord("record_value_rejected", "Route 53 takes values of at most 4,000 characters")
    : Option.none()
}
