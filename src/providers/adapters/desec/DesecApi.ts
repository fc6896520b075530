import type { HttpClient } from "@effect/platform"
import { Effect, Option, type Redacted, Schema } from "effect"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import { inScheme } from "../../apiAuthorization.ts"
import { decodeBody, longArray, makeJsonApi } from "../../JsonApi.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { ProviderError } from "../../ProviderError.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import { type ListPage, readPages } from "../../readPages.ts"
import { admitsZone } from "../../zoneLimits.ts"

/** A domain, as far as it says what it can store; `minimum_ttl` is in seconds. */
const DesecDomain = Schema.Struct({ minimum_ttl: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }) })

/** The records of one subname (empty at the apex) and type; `name` is absolute, `ttl` in seconds. */
const DesecRRset = Schema.Struct({
  subname: Schema.String,
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.NonNegativeInt,
  records: Schema.Array(Schema.String)
})
export type DesecRRset = typeof DesecRRset.Type

export const DesecRRsets = longArray(DesecRRset)

/** A set as it must be. Without `ttl`, that of the existing set stays; without records, the set goes. */
export interface DesecRRsetChange {
  readonly subname: string
  readonly type: string
  readonly ttl?: number
  readonly records: ReadonlyArray<string>
}

/** Calls the API of deSEC for one domain with one token. */
interface DesecApi {
  readonly readDomain: Effect.Effect<typeof DesecDomain.Type, ProviderError>
  /** Reads all sets, or at least those at some subnames. */
  readonly readRRsets: (
    subnames: Option.Option<ReadonlyArray<string>>
  ) => Effect.Effect<ReadonlyArray<DesecRRset>, ProviderError>
  /** Writes all the changes or none of them. */
  readonly patchRRsets: (changes: ReadonlyArray<DesecRRsetChange>) => Effect.Effect<void, ProviderError>
}

export const makeDesecApi = ({
  http,
  timeouts,
  token,
  zone
}: {
  readonly http: HttpClient.HttpClient
  readonly timeouts: Timeouts
  readonly token: Redacted.Redacted
  readonly zone: DomainName
}): DesecApi => {
  const api = makeJsonApi({
    http,
    baseUrl: "https://desec.io/api/v1",
    authorization: inScheme("Token", token),
    interpret,
    timeout: timeouts.call
  })
  const path = `/domains/${zone}/`
  return {
    readDomain: api.call({ method: "GET", path, schema: DesecDomain }),
    readRRsets: (subnames) =>
      readPages({
        readPage: ([query = {}, ...others]: ReadonlyArray<RRsetQuery> = [], admits) =>
          Effect.flatMap(api.send({ method: "GET", path: `${path}rrsets/`, query, admits }), (response) =>
            response.status === 400
              ? Effect.succeed({ items: [], next: listQueries(subnames) })
              : toPage(response, others)
          ),
        timeout: timeouts.snapshot,
        pause: pauseBetweenPages
      }),
    patchRRsets: (body) =>
      Effect.asVoid(
        api.call({ method: "PATCH", path: `${path}rrsets/`, body, schema: DesecRRsets, admits: admitsZone })
      )
  }
}

/** Which sets are requested; without a parameter all at once, which deSEC refuses beyond 500 sets. */
type RRsetQuery = Readonly<Partial<Record<"cursor" | "subname", string>>>

/** Ten reads a second are allowed, of which some are the first of their list; and 50 a minute. */
const pauseBetweenPages = "150 millis"

/** The requests in place of one for all sets: a few subnames take fewer calls than all pages of a large zone. */
const listQueries = (subnames: Option.Option<ReadonlyArray<string>>): ReadonlyArray<RRsetQuery> =>
  subnames.pipe(
    Option.filter(({ length }) => length <= maxSubnames),
    Option.match({
      onNone: () => [{ cursor: "" }],
      onSome: (few) => few.map((subname) => ({ subname }))
    })
  )

const maxSubnames = 10

/** The sets of a response, and the requests that remain after it. */
const toPage = (
  response: ProviderResponse,
  others: ReadonlyArray<RRsetQuery>
): Effect.Effect<ListPage<DesecRRset, ReadonlyArray<RRsetQuery>>, ProviderError> =>
  Effect.gen(function* () {
    const items = yield* decodeBody(response, DesecRRsets)
    const link = nextLink.exec(response.headers["link"] ?? "")?.[1]
    if (link === undefined) return { items, next: others.length > 0 ? others : undefined }
    // Nothing but the cursor is taken from the link, so that the token is sent nowhere else.
    const cursor = URL.parse(link)?.searchParams.get("cursor")
    if (typeof cursor !== "string") return yield* malformedLink
    return { items, next: [{ cursor }] }
  })

const nextLink = /<([^<>]*)>;\s*rel="next"/

const malformedLink = new ProviderError({ kind: "malformed", detail: "the link to the next page has no cursor" })

/** The refusal to send all sets at once is no error, and some refusals only say that the zone has changed. */
const interpret = ({ headers, status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if (status === 409 || (status === 400 && conflictWithStored.test(text))) return { kind: "conflict" }
  return status === 400 && headers["link"] !== undefined ? "success" : undefined
}

/** Since the zone was read, another writer has stored a CNAME where another type is to be, or the reverse. */
const conflictWithStored = /RRset with conflicting type present[^"]*\bdatabase\b/
