import type { HttpClient } from "@effect/platform"
import { Effect, Option } from "effect"
import { apexHost } from "../../../domain/names/DomainName.ts"
import { anyTtl, type Capabilities } from "../../../domain/provider/Provider.ts"
import { checkDelegation, defaultTimeouts, type ProviderClient, type Timeouts } from "../../ProviderClient.ts"
import { toOpenFailure } from "../../ProviderError.ts"
import { makeCopyFailure } from "../../ProviderFailure.ts"
import { readToken } from "../../readToken.ts"
import { isAffected, type RecordSet } from "../../writing/RecordSet.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { makeRecordSetZoneClient } from "../../writing/makeRecordSetZoneClient.ts"
import { makePowerDnsApi, type PowerDnsRRsetChange, type PowerDnsSettings } from "./PowerDnsApi.ts"

/** The client for PowerDNS, or a proxy before it that takes OAuth tokens. A plan is one transaction, unconditional. */
export const makePowerDnsClient = (installation: {
  readonly settings: PowerDnsSettings
  readonly capabilities: Capabilities
  readonly http: HttpClient.HttpClient
  readonly timeouts?: Timeouts
}): ProviderClient => ({
  credential: "api_token",
  openZone: Effect.fnUntraced(function* (request) {
    const api = makePowerDnsApi(installation.http, installation.settings, {
      credential: {
        kind: request.credential._tag === "oauth_token" ? "oauth_token" : "api_token",
        secret: yield* readToken(request.credential, { provider: "PowerDNS", takesOAuth: true })
      },
      timeouts: installation.timeouts ?? defaultTimeouts,
      zone: request.zone
    })
    const { kind, rrsets } = yield* Effect.mapError(api.readHeader, toOpenFailure)
    if (!primaries.has(kind)) return yield* makeCopyFailure(kind)
    const nameServers = rrsets.filter(({ name, type }) => type === "NS" && name.toLowerCase() === `${request.zone}.`)
    yield* checkDelegation(
      nameServers.flatMap(({ records }) => records.map(({ content }) => content)),
      request
    )
    return makeRecordSetZoneClient(
      {
        limits: { capabilities: installation.capabilities, ttl: anyTtl },
        readSets: (names) => api.readRRsets(Option.match(names, { onNone: () => () => true, onSome: isAffected })),
        writeSets: (setChanges) => api.patchRRsets(setChanges.map(toRRsetChange)),
        fitsOneCall: () => true,
        typeOf: ({ host, type }, { domain, zone }) =>
          type === "CNAME" && host === apexHost && domain === zone ? "ALIAS" : type
      },
      request
    )
  })
})

/** What every PowerDNS server can store; ALIAS, which flattens, needs a resolver that only its operator knows about. */
export const powerDnsCapabilities: Capabilities = {
  rootNSModification: "supported",
  subdomainNSModification: "supported",
  wwwRedirect: "unsupported",
  cnameFlattening: "unknown",
  wildcardRecords: "supported",
  caaRecords: "supported",
  spfRecords: "supported",
  socialLogin: "not_applicable"
}

const primaries: ReadonlySet<string> = new Set(["Native", "Master", "Primary", "Producer"])

const toRRsetChange = ({ after, before, name, type }: SetChange<RecordSet>): PowerDnsRRsetChange => {
  const rrset = { name: before === undefined ? `${name}.` : name, type }
  return after === undefined
    ? { ...rrset, changetype: "DELETE" }
    : {
        ...rrset,
        changetype: "REPLACE",
        ttl: after.ttl,
        records: after.records.map(({ content, disabled = false }) => ({ content, disabled }))
      }
}
