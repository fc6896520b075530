import { Array, Duration, Effect, Either, Option, Redacted, Schema } from "effect"
import { isAtOrBelow, normalizeName } from "../../../domain/names/DomainName.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { unquoteText } from "../../../domain/records/unquoteText.ts"
import { type ApiAuthorization, inHeaders } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { makeKindLookup, ProviderError, toOpenFailure } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { keyOf, type RecordSet, type SetMember } from "../../writing/RecordSet.ts"
import { parseContent, toQuotedStrings } from "../../writing/recordContent.ts"
import {
  type CheckRecord,
  makeTypeCheck,
  refuseByAny,
  refuseRecord,
  refuseUnseenValues
} from "../../writing/requireStorable.ts"

/**
 * Makes the client of Wix, with an API key and the id of its account. Each call deletes one set, adds one or both: nothing
 * says that a call with several writes all of them or none, and the API has no conditional writes.
 */
export const makeWixClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "username_api_key",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const api = makeJsonApi({
      http,
      baseUrl: "https://www.wixapis.com/domains/v1",
      authorization: yield* authorizeWith(request.credential),
      interpret,
      timeout: timeouts.call
    })
    const sets = yield* Effect.mapError(readSets(api, zone), (error) => toOpenFailure(addHint(error)))
    yield* checkDelegation(findNameServers(sets, zone), request)
    return makeRecordSetZoneClient<WixSet>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        checkRecord,
        readSets: () => readSets(api, zone),
        writeSets: Effect.forEach(writeSet(api, zone), { discard: true })
      },
      request
    )
  })
})

/** The id of an account is the name of its user here; the key has no scheme (`ApiKeyStrategy` of @wix/sdk). */
const authorizeWith = (credential: Credential): Either.Either<ApiAuthorization, ProviderFailure> =>
  credential._tag === "username_api_key" &&
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(credential.username) &&
  /^[!-~]+$/.test(Redacted.value(credential.apiKey))
    ? Either.right(inHeaders({ authorization: credential.apiKey, "wix-account-id": credential.username }))
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail:
            "Wix accepts the id of an account, as user name, and an API key of that account, in ASCII without spaces"
        })
      )

/** A wrong key or account and a domain of another account are 404 or 428; other codes of 428 refuse a record. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const kind = status < 400 ? undefined : kindOf(/"code":\s*"(\w+)"/.exec(text)?.[1] ?? "")
  return kind === undefined ? undefined : { kind }
}

/** "Domain DNS Errors", and the codes in Wix's own skills. */
const kindOf = makeKindLookup([
  ["credential_refused", "USER_ID_NOT_FOUND", "TARGET_ACCOUNT_NOT_FOUND"],
  ["absent", "DOMAIN_NOT_PERMITTED"],
  [
    "conflict",
    "ALREADY_EXISTS",
    "DOMAINS_ALREADY_EXISTS",
    "DOMAIN_DUPLICATE_RECORDS",
    "DOMAIN_UPDATE_EMPTY_UPDATE_REQUEST"
  ]
])

const addHint = (error: ProviderError): ProviderError => {
  const hint = hints[error.kind]
  return hint === undefined ? error : new ProviderError({ ...error, detail: `${error.detail}; ${hint}` })
}

const hints: { readonly [_ in ProviderError["kind"]]?: string } = {
  absent: "Wix has no zone for a domain that is only pointed to it: its records are at its registrar",
  forbidden: "the key needs the permission Manage Domains"
}

/** All records of one host and type. Texts have no quotes, and targets no dot at their end, as others write them. */
const WixRecord = Schema.Struct({
  /** Absolute, without a dot at its end. */
  hostName: Schema.String,
  type: Schema.String,
  /** Seconds. */
  ttl: Schema.optionalWith(Schema.Number, { exact: true }),
  values: Schema.Array(Schema.String)
})

/** The whole zone, also in the answer to a write: at most 5,000 sets, in one answer. */
const WixZone = Schema.Struct({ dnsZone: Schema.Struct({ records: longArray(WixRecord) }) })

/** A set, and what Wix stores for it and for each of its records. */
interface WixSet extends RecordSet {
  readonly records: ReadonlyArray<SetMember & { readonly stored: string }>
  readonly stored: typeof WixRecord.Type
}

const pathOf = (zone: string): string => `/dns-zones/${zone}`

const readSets = (api: JsonApi, zone: string): Effect.Effect<ReadonlyArray<WixSet>, ProviderError> =>
  Effect.flatMap(api.call({ method: "GET", path: pathOf(zone), schema: WixZone }), toSets(zone))

/** Fails if a name is not in the zone: a name that is relative after all would hide its records. */
const toSets =
  (zone: string) =>
  ({ dnsZone: { records } }: typeof WixZone.Type): Effect.Effect<ReadonlyArray<WixSet>, ProviderError> => {
    const stranger = records.find(({ hostName }) => !isAtOrBelow(normalizeName(hostName), zone))
    return stranger === undefined
      ? Effect.succeed(records.map(toWixSet))
      : Effect.fail(new ProviderError({ kind: "malformed", detail: `${stranger.hostName} is not a name in ${zone}` }))
  }

/** NS records are Wix's own: its skills say "Never include NS records". */
const toWixSet = (stored: typeof WixRecord.Type): WixSet => {
  const { hostName: name, ttl = 3600, type, values } = stored
  return {
    name,
    type,
    ttl,
    records: values.map((value) => ({ stored: value, content: toContent(type, value) })),
    ...(type === "NS" ? { locked: "fixed" } : {}),
    stored
  }
}

/** A text may be in quotes, and a target may end in a dot, as in the Cloud DNS that is behind Wix: nobody says so. */
const toContent = (type: string, value: string): string => {
  if (type === "TXT" || type === "SPF") return toQuotedStrings(value)
  return typesWithTarget.has(type) ? value.replace(/\.?$/, ".") : value
}

const toValue = (type: string, content: string): string => {
  if (type === "TXT") return unquoteText(content) ?? content
  return typesWithTarget.has(type) ? content.replace(/\.$/, "") : content
}

const typesWithTarget: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "PTR", "SRV"])

/** The name servers that serve the zone of an account are those at its apex. */
const findNameServers = (sets: ReadonlyArray<WixSet>, zone: string): ReadonlyArray<string> =>
  sets.flatMap(({ name, stored: { values }, type }) => (type === "NS" && normalizeName(name) === zone ? values : []))

/** The set goes exactly as it was read, and comes with its siblings: an addition may replace it or add to it. */
const writeSet =
  (api: JsonApi, zone: string) =>
  (change: SetChange<WixSet>): Effect.Effect<void, ProviderError> => {
    const { after, before, name: hostName, type } = change
    const values = after?.records.map((member) => ("stored" in member ? member.stored : toValue(type, member.content)))
    const body = {
      ...(before === undefined ? {} : { deletions: [before.stored] }),
      ...(after === undefined ? {} : { additions: [{ type, hostName, ttl: after.ttl, values }] })
    }
    const requireSet = makeSetCheck(api, zone, change)
    return api.call({ method: "PATCH", path: pathOf(zone), body, schema: WixZone }).pipe(
      Effect.flatMap(toSets(zone)),
      Effect.filterOrFail(
        hasRecords(change, after),
        () =>
          new ProviderError({ kind: "malformed", detail: `${type} ${hostName} is not in the answer as it was sent` })
      ),
      Effect.catchIf(
        ({ kind }) => kind === "malformed",
        (error) => requireSet(after, error)
      ),
      Effect.catchIf(
        ({ kind }) => refusals.has(kind),
        (error) => Effect.zipRight(requireSet(before, error), error)
      ),
      Effect.asVoid
    )
  }

/** Errors of calls whose changes Wix has looked at. */
const refusals: ReadonlySet<ProviderError["kind"]> = new Set(["absent", "conflict", "rejected"])

/**
 * Makes the check of what a call has done, where its answer does not say so, or is a refusal: nothing says that a refused
 * call does nothing. Unless the zone shows the expected set, nobody knows what is made.
 */
const makeSetCheck =
  (api: JsonApi, zone: string, change: SetChange<WixSet>) =>
  (expected: Pick<RecordSet, "records"> | undefined, { detail }: ProviderError) =>
    Effect.mapError(
      Effect.filterOrFail(readSets(api, zone), hasRecords(change, expected)),
      () => new ProviderError({ kind: "failing", detail: `the set is not seen as expected after: ${detail}` })
    )

/** Whether the set of a change has these records, however their values are written. */
const hasRecords =
  (change: SetChange<WixSet>, expected: Pick<RecordSet, "records"> | undefined) =>
  (sets: ReadonlyArray<WixSet>): boolean => {
    const found = sets.filter((set) => keyOf(set) === keyOf(change)).flatMap(({ records }) => records)
    return serialize(change.type, found) === serialize(change.type, expected?.records ?? [])
  }

const serialize = (type: string, records: ReadonlyArray<SetMember>): string =>
  records
    .map(({ content }) => JSON.stringify(parseContent(type, content)))
    .toSorted()
    .join()

const checkText: CheckRecord = ({ host, type, value }) => {
  const faults: ReadonlyArray<readonly [isFaulty: boolean, reason: string]> = [
    [value.length > 1000, "Wix takes texts of at most 1,000 characters"],
    [!/^[ -~]*$/.test(value), "how Wix stores characters other than those of ASCII is not known"]
  ]
  return Option.flatMap(
    Array.findFirst(type === "TXT" ? faults : [], ([isFaulty]) => isFaulty),
    ([, reason]) => refuseRecord("record_value_rejected", `${type} ${host}: ${reason}`)
  )
}

/** The types of Wix's SDK without those that nobody has seen written. */
const checkRecord = makeTypeCheck("Wix", "A AAAA CNAME MX SRV TXT", refuseByAny(refuseUnseenValues("Wix"), checkText))
