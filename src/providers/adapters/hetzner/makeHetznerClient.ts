import { Duration, Effect, Redacted } from "effect"
import { checkDelegation, defaultTimeouts } from "../../ProviderClient.ts"
import { ProviderError, toOpenFailure, toRecordAbsent } from "../../ProviderError.ts"
import { makeCopyFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import type { MakeCatalogClient } from "../../catalog/catalogAdapters.ts"
import { makeTypeCheck } from "../../writing/requireStorable.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { runInOrder } from "../../writing/runInOrder.ts"
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
    const write = (change: SetChange<HetznerRecordSet>) => {
      const { actions, undo } = planActions(change)
      const run = ({ action, body }: SetAction) =>
        Effect.mapError(api.act(zone, `${toSetPath(change, zone.name)}/actions/${action}`, body), toRecordAbsent)
      return runInOrder(actions.map(run), undo && run(undo))
    }
    return makeSetwiseZoneClient<HetznerRecordSet>(
      {
        limits,
        // An action goes on when its answer is lost, and shows in the list when it has ended.
        visibleWithin: Duration.seconds(30),
        checkRecord: makeTypeCheck("Hetzner", types),
        readSets: () => Effect.map(api.listSets(zone), (sets) => sets.map(toRecordSet(zone))),
        writeSets: Effect.forEach(write, { discard: true })
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
