import { Duration, Effect, Redacted } from "effect"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent, toWriteFailure } from "../../ProviderError.ts"
import { makeCopyFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { MakeCatalogClient } from "../../catalog/catalogAdapters.ts"
import { makeTypeCheck } from "../../writing/requireStorable.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import { makeSetwiseZoneClient } from "../../writing/setwise.ts"
import { makeHetznerApi } from "./HetznerApi.ts"
import { type HetznerRecordSet, planActions, type SetAction, toRecordSet, toSetPath } from "./hetznerSets.ts"

/** Makes a client for the DNS of Hetzner Cloud, where each change of a set is accepted at once and made later. */
export const makeHetznerClient: MakeCatalogClient = ({ http, limits, timeouts = defaultTimeouts }) => ({
  credential: "api_token",
  openZone: Effect.fn("Hetzner.openZone")(function* (request) {
    const token = yield* readToken(request.credential, { provider: "Hetzner Cloud" })
    const api = makeHetznerApi(http, token, timeouts)
    const zone = yield* Effect.mapError(api.findZone(request.zone), (error) =>
      toOpenFailure(explainRefusal(error, token))
    )
    if (zone.mode !== "primary") return yield* makeCopyFailure(zone.mode)
    yield* checkDelegation(zone.authoritative_nameservers.assigned, request)
    const run = (set: Pick<RecordSet, "name" | "type">, { action, body }: SetAction) =>
      api.change(`/zones/${zone.id}/rrsets/${toSetPath(set, zone.name)}/actions/${action}`, body)
    return makeSetwiseZoneClient<HetznerRecordSet>(
      {
        limits,
        // An action goes on when its answer is lost, and shows in the list when it has ended.
        visibleWithin: Duration.seconds(30),
        checkRecord: makeTypeCheck("Hetzner", types),
        readSets: () => Effect.map(api.listSets(zone), (sets) => sets.map(toRecordSet(zone))),
        writeSets: (setChanges) =>
          Effect.forEach(setChanges, (change) => runInOrder(planActions(change), (action) => run(change, action)), {
            discard: true
          })
      },
      request
    )
  })
})

/** All tokens of Hetzner Cloud have 64 characters. */
const explainRefusal = (error: ProviderError, token: Redacted.Redacted): ProviderError => {
  if (error.kind !== "credential_refused" || Redacted.value(token).length === 64) return error
  const hint = "a token of Hetzner Cloud has 64 characters, unlike one of the former DNS Console"
  return new ProviderError({ ...error, detail: `${error.detail}; ${hint}` })
}

/** All types of the API except SOA. */
const types: ReadonlySet<string> = new Set("A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SRV SVCB TLSA TXT".split(" "))

/** Runs actions after each other. If a later one is refused, the first is undone, or else the outcome is unknown. */
const runInOrder = (
  actions: ReadonlyArray<SetAction>,
  run: (action: SetAction) => Effect.Effect<void, ProviderError>
): Effect.Effect<void, ProviderError> =>
  Effect.forEach(
    actions,
    (action, index) =>
      Effect.catchAll(Effect.mapError(run(action), toRecordAbsent), (error) => {
        if (index === 0 || toWriteFailure(error)._tag === "OutcomeUnknown") return error
        const undo = index === 1 ? actions[0]?.undo : undefined
        return Effect.matchEffect(undo === undefined ? error : run(undo), {
          onFailure: () => new ProviderError({ kind: "failing", detail: `only a part is written: ${error.detail}` }),
          onSuccess: () => error
        })
      }),
    { discard: true }
  )
