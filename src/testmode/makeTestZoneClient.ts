import { Array, Duration, Effect, Option } from "effect"
import { Requester } from "../limits/RequestSource.ts"
import { apexHost } from "../domain/names/DomainName.ts"
import { anyTtl, type Capabilities } from "../domain/provider/Provider.ts"
import type { Tenancy } from "../domain/access/Tenancy.ts"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ProviderError } from "../providers/ProviderError.ts"
import { checkDelegation, type ProviderClient } from "../providers/ProviderClient.ts"
import { ProviderFailure } from "../providers/ProviderFailure.ts"
import { readToken } from "../providers/readToken.ts"
import { isAffected, keyOf } from "../providers/writing/RecordSet.ts"
import type { SetChange } from "../providers/writing/planSetCalls.ts"
import { makeRecordSetZoneClient } from "../providers/writing/makeRecordSetZoneClient.ts"
import type { TestProviderId } from "./TestDomain.ts"
import { findTestZone, nameServersOf, type TestZoneName } from "./TestZoneName.ts"
import { isTooLarge, readRequester, type TestZones } from "./TestZones.ts"

/**
 * Makes the adapter of a provider of test mode, which writes to the zones of the tenant on whose behalf it works and does
 * what the name of the domain promises. It accepts any token that fits a header.
 */
export const makeTestZoneClient = (
  zones: typeof TestZones.Service,
  { capabilities, id }: { readonly id: TestProviderId; readonly capabilities: Capabilities }
): ProviderClient => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const name = findTestZone(request.zone)
    if (name === undefined || name.zone !== request.zone || name.domain.provider !== id)
      return yield* refuseToOpen("authorization_zone_mismatch")
    const { domain } = name
    yield* readToken(request.credential, { provider: "the provider", takesOAuth: true })
    if (domain.refusesToOpen !== undefined) return yield* refuseToOpen(domain.refusesToOpen)
    if (domain.forgetsSignIn === true && request.credential._tag === "oauth_token")
      return yield* refuseToOpen("credential_invalid")
    yield* checkDelegation(nameServersOf(domain), request)
    const tenancy = readRequester(yield* Requester)
    return makeRecordSetZoneClient<TestRecordSet>(
      {
        limits: { capabilities, ttl: anyTtl },
        readSets: (names) =>
          Effect.mapBoth(zones.read(tenancy, name), {
            onFailure: toProviderError,
            onSuccess: ({ sets }) =>
              Option.match(names, { onNone: () => sets, onSome: (at) => sets.filter(isAffected(at)) })
          }),
        writeSets: (setChanges) => writeSets(zones, { tenancy, name }, setChanges),
        ...(domain.writesSingly === true ? {} : { fitsOneCall: () => true }),
        typeOf: ({ host, type }, { domain, zone }) =>
          type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type
      },
      request
    )
  })
})

/** Writes as much as one call takes, unless the domain promises something else for this call. */
const writeSets = (
  zones: typeof TestZones.Service,
  { name, tenancy }: { readonly name: TestZoneName; readonly tenancy: Tenancy },
  setChanges: ReadonlyArray<SetChange<TestRecordSet>>
) =>
  Effect.gen(function* () {
    const current = yield* zones.read(tenancy, name)
    const outcome = name.domain.writes?.[current.calls] ?? "written"
    const [first] = setChanges
    const sets =
      outcome === "changed_by_others"
        ? addSomebodysRecord(current.sets, first?.name ?? name.zone)
        : outcome === "written" || outcome === "unanswered"
          ? applySetChanges(current.sets, setChanges)
          : undefined
    if (sets !== undefined && isTooLarge(sets))
      return yield* new ProviderError({ kind: "rejected", detail: "the zone holds too many records" })
    const isCounted = yield* zones.call(tenancy, current, sets === undefined ? {} : { sets })
    if (!isCounted || outcome === "changed_by_others")
      return yield* new ProviderError({ kind: "conflict", detail: "somebody else has just changed the zone" })
    if (outcome === "rejected") return yield* new ProviderError({ kind: "rejected", detail: "the record is refused" })
    if (outcome === "unanswered")
      return yield* new ProviderError({ kind: "timed_out", detail: "no answer came in time" })
    if (outcome === "rate_limited")
      return yield* new ProviderError({
        kind: "rate_limited",
        detail: "too many requests",
        retryAfter: Duration.seconds(1)
      })
  }).pipe(Effect.catchTag("StoreUnavailable", (error) => Effect.fail(toProviderError(error))))

const applySetChanges = (
  sets: ReadonlyArray<TestRecordSet>,
  setChanges: ReadonlyArray<SetChange<TestRecordSet>>
): ReadonlyArray<TestRecordSet> => {
  const changed = new Set(setChanges.map(keyOf))
  const added = setChanges.flatMap(({ after, name, type }): ReadonlyArray<TestRecordSet> => {
    const records = (after?.records ?? []).map(({ content }) => ({ content }))
    return after === undefined || !Array.isNonEmptyArray(records) ? [] : [{ name, type, ttl: after.ttl, records }]
  })
  return [...sets.filter((set) => !changed.has(keyOf(set))), ...added]
}

const addSomebodysRecord = (sets: ReadonlyArray<TestRecordSet>, name: string): ReadonlyArray<TestRecordSet> => [
  ...sets.filter((set) => keyOf(set) !== keyOf({ name, type: "TXT" })),
  { name, type: "TXT", ttl: 300, records: [{ content: '"verification=of-another-service"' }] }
]

/** A platform may show the answer of a provider to its customer: it reads like that of a real one. */
const refuseToOpen = (code: ProviderFailure["code"]): ProviderFailure =>
  new ProviderFailure({ code, detail: refusals[code] ?? "the request is refused" })

const refusals: { readonly [_ in ProviderFailure["code"]]?: string } = {
  account_not_entitled: "the plan of this account includes no API",
  authorization_insufficient_scope: "this token may only read",
  authorization_zone_mismatch: "this account has no such zone",
  credential_invalid: "the credential is not valid",
  provider_unavailable: "the service is temporarily unavailable",
  provider_zone_locked: "the zone is locked"
}

const toProviderError = ({ message }: StoreUnavailable): ProviderError =>
  new ProviderError({ kind: "unreachable", detail: message })
