import { Duration, Effect, Schema } from "effect"
import { inBoth, inQuery, inScheme } from "../../apiAuthorization.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { CatalogClientFactory } from "../../catalog/CatalogAdapter.ts"
import { type JsonApi, longArray, makeJsonApi } from "../../JsonApi.ts"
import { defaultTimeouts, selectDelegatedZone, type Timeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { type ListPage, readPages } from "../../readPages.ts"
import { readToken } from "../../readToken.ts"
import { makeSingleRecordZoneClient, type RecordStep } from "../../writing/makeSingleRecordZoneClient.ts"
import { makeVercelCheck, toChangedRecord, toNewRecord, toZoneRecord, VercelRecord } from "./VercelRecord.ts"

/** The client of Vercel, with a person's or team's token. Each call writes one record, without conditions. */
export const makeVercelClient: CatalogClientFactory = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const { zone } = request
    const bearer = inScheme("Bearer", yield* readToken(request.credential, { provider: "Vercel" }))
    const makeApi = (teamId?: string): JsonApi =>
      makeJsonApi({
        http,
        baseUrl: "https://api.vercel.com",
        authorization: teamId === undefined ? bearer : inBoth(bearer, inQuery({ teamId })),
        interpret: interpretResponse,
        removedBy: 200,
        timeout: timeouts.call
      })
    const domains = yield* Effect.mapError(findDomains(makeApi, zone), toOpenFailure)
    const { api } = yield* selectDelegatedZone(domains, nameServersOf, request)
    return makeSingleRecordZoneClient<VercelRecord>(
      {
        limits,
        // Nothing says that a list shows every write.
        visibleWithin: Duration.seconds(5),
        listRecords: () => readRecords(api, zone, timeouts),
        toRecord: (stored) => toZoneRecord(stored, zone),
        write: ([step]) => writeStep(api, zone, step),
        checkRecord: makeVercelCheck(request)
      },
      request
    )
  })
})

/** A token that is none, a domain of another team, an account with an unpaid bill, and a record that is there already. */
const interpretResponse = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  if (status === 402) return { kind: "not_entitled" }
  if (status === 403 && /"invalidToken":\s*true|"message":\s*"Not authorized"/.test(text))
    return { kind: "credential_refused" }
  if (status === 403 && /access (resource under|to) scope/.test(text)) return { kind: "absent" }
  return status === 409 ? { kind: "conflict" } : undefined
}

/** A domain as an account or a team has it. */
const VercelDomain = Schema.Struct({
  domain: Schema.Struct({ serviceType: Schema.String, intendedNameservers: Schema.Array(Schema.String) })
})

const Teams = Schema.Struct({ teams: Schema.Array(Schema.Struct({ id: Schema.String })) })

interface OwnedDomain {
  readonly api: JsonApi
  readonly domain: (typeof VercelDomain.Type)["domain"]
}

/** Finds the domain in the account of the token, or else in its teams. */
const findDomains = (
  makeApi: (teamId?: string) => JsonApi,
  zone: string
): Effect.Effect<ReadonlyArray<OwnedDomain>, ProviderError> =>
  Effect.gen(function* () {
    const api = makeApi()
    const own = yield* findIn(api, zone)
    if (own.length > 0) return own
    const { teams } = yield* api.call({ method: "GET", path: "/v2/teams", query: { limit: 100 }, schema: Teams })
    return (yield* Effect.forEach(teams, ({ id }) => findIn(makeApi(id), zone))).flat()
  })

const findIn = (api: JsonApi, zone: string): Effect.Effect<ReadonlyArray<OwnedDomain>, ProviderError> =>
  api.call({ method: "GET", path: `/v5/domains/${zone}`, schema: VercelDomain }).pipe(
    Effect.map(({ domain }) => [{ api, domain }]),
    Effect.catchIf(
      ({ kind }) => kind === "absent",
      () => Effect.succeed([])
    )
  )

/** Vercel serves a domain whose service it calls `zeit.world`; records of any other are not served. */
const nameServersOf = ({ domain }: OwnedDomain): ReadonlyArray<string> =>
  domain.serviceType === "zeit.world" ? domain.intendedNameservers : []

/** A page of the records of a zone, newest first; `next` is when the oldest of them was created, in milliseconds. */
export const VercelPage = Schema.Struct({
  records: longArray(VercelRecord),
  pagination: Schema.Struct({ next: Schema.NullOr(Schema.Number) })
})

/** Where a page begins, and the ids of the page before it, of which it has the last ones again. */
interface PageStart {
  readonly until: number
  readonly known: ReadonlySet<string>
}

const readRecords = (
  api: JsonApi,
  zone: string,
  { snapshot: timeout }: Timeouts
): Effect.Effect<ReadonlyArray<VercelRecord>, ProviderError> =>
  readPages<VercelRecord, PageStart>({
    timeout,
    identify: ({ id }) => id,
    readPage: (start, admits) =>
      Effect.flatMap(
        api.call({
          method: "GET",
          path: `/v4/domains/${zone}/records`,
          query: { limit: perPage, ...(start === undefined ? {} : { until: start.until }) },
          schema: VercelPage,
          admits
        }),
        (page) => toPage(page, start)
      )
  })

/** A page begins a millisecond later than Vercel says, because records of the same one may be on both sides of its end. */
const toPage = (
  { pagination: { next }, records }: typeof VercelPage.Type,
  start: PageStart | undefined
): Effect.Effect<ListPage<VercelRecord, PageStart>, ProviderError> => {
  const items = records.filter(({ id }) => start?.known.has(id) !== true)
  if (next === null || records.length < Math.min(...fullPages)) return Effect.succeed({ items })
  if (items.length > 0)
    return Effect.succeed({ items, next: { until: next + 1, known: new Set(records.map(({ id }) => id)) } })
  return fullPages.includes(records.length)
    ? Effect.fail(new ProviderError({ kind: "malformed", detail: "a page has records of one millisecond only" }))
    : Effect.succeed({ items })
}

/** How many records a full page has, as asked or, if Vercel ignores that, by itself. */
const perPage = 100
const fullPages = [perPage, 20]

const [CreatedRecord, ChangedRecord] = [Schema.Struct({ uid: Schema.String }), Schema.Struct({ id: Schema.String })]

const writeStep = (api: JsonApi, zone: string, step: RecordStep<VercelRecord>): Effect.Effect<void, ProviderError> => {
  const records = `/v2/domains/${zone}/records`
  const write = <A, I>(method: "POST" | "PATCH", path: string, body: unknown, schema: Schema.Schema<A, I>) =>
    Effect.asVoid(api.call({ method, path, body, schema }))
  if (step.action === "create") return write("POST", records, toNewRecord(step.record, zone), CreatedRecord)
  const id = encodeURIComponent(step.stored.id)
  return Effect.mapError(
    step.action === "remove"
      ? api.remove(`${records}/${id}`)
      : write("PATCH", `/v1/domains/records/${id}`, toChangedRecord(step.record, zone), ChangedRecord),
    toRecordAbsent
  )
}
