import type { HttpClient } from "@effect/platform"
import { Effect, Either, Option, Redacted } from "effect"
import type { Credential } from "../../../domain/Credential.ts"
import type { Change } from "../../../domain/Plan.ts"
import { anyTtl, type Capabilities } from "../../../domain/Provider.ts"
import {
  defaultTimeouts,
  type ProviderClient,
  type Timeouts,
  type ZoneRequest,
  type ZoneSnapshot,
  type ZoneWrite
} from "../../ProviderClient.ts"
import { toOpenFailure, toReadFailure, toWriteFailure } from "../../ProviderError.ts"
import { ProviderFailure, ZoneChanged } from "../../ProviderFailure.ts"
import { affectedNames } from "../affectedNames.ts"
import { checkDelegation } from "../checkDelegation.ts"
import {
  makePowerDnsApi,
  type PowerDnsApi,
  type PowerDnsCredential,
  type PowerDnsRRsetChange,
  type PowerDnsSettings
} from "./PowerDnsApi.ts"
import { planRRsetChanges, type PowerDnsZone, serializeRRsetsAt, toPowerDnsZone } from "./PowerDnsZone.ts"

/**
 * A PowerDNS server with an HTTP API, or a proxy before it that takes OAuth tokens in place of the API key. A plan is
 * written as a whole, in one transaction. It has no condition to write under: the sets are read directly before, and
 * what is changed elsewhere between that and the write is lost.
 */
export const makePowerDnsClient = (installation: {
  readonly settings: PowerDnsSettings
  readonly capabilities: Capabilities
  readonly http: HttpClient.HttpClient
  readonly patience?: Timeouts
}): ProviderClient => ({
  credential: "api_token",
  limits: { capabilities: installation.capabilities, ttl: anyTtl },
  openZone: Effect.fn("PowerDns.openZone")(function* (request) {
    const api = makePowerDnsApi(installation.http, installation.settings, {
      credential: yield* acceptable(request.credential),
      patience: installation.patience ?? defaultTimeouts,
      zone: request.zone
    })
    const { kind, rrsets } = yield* Effect.mapError(api.readHeader, toOpenFailure)
    if (!primaries.has(kind)) return yield* isCopy(kind)
    const nameServers = rrsets.filter(({ name, type }) => type === "NS" && name.toLowerCase() === `${request.zone}.`)
    yield* checkDelegation(
      nameServers.flatMap(({ records }) => records.map(({ content }) => content)),
      request
    )
    return {
      checkRecord: () => Option.none(),
      read: Effect.map(readSets(api, request), (read) => snapshotOf(read, api, request))
    }
  })
})

/** What PowerDNS stores in every set-up; ALIAS, which flattens, needs a resolver that only its operator knows of. */
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

const acceptable = (credential: Credential): Either.Either<PowerDnsCredential, ProviderFailure> => {
  if (credential._tag !== "api_token" && credential._tag !== "oauth_token") return Either.left(noKey)
  const secret = credential._tag === "api_token" ? credential.apiToken : credential.accessToken
  return /^[!-~]+$/.test(Redacted.value(secret)) ? Either.right({ kind: credential._tag, secret }) : Either.left(noKey)
}

const noKey = new ProviderFailure({
  code: "credential_invalid",
  detail: "PowerDNS takes an API key or an OAuth token, in ASCII"
})

const primaries: ReadonlySet<string> = new Set(["Native", "Master", "Primary", "Producer"])

const isCopy = (kind: string) =>
  new ProviderFailure({ code: "provider_zone_locked", detail: `the zone here is a copy (${kind}) of another server's` })

const readSets = (api: PowerDnsApi, request: ZoneRequest): Effect.Effect<PowerDnsZone, ProviderFailure> =>
  Effect.map(Effect.mapError(api.readRRsets, toReadFailure), (sets) => toPowerDnsZone(sets, request))

const snapshotOf = (read: PowerDnsZone, api: PowerDnsApi, request: ZoneRequest): ZoneSnapshot => ({
  zone: read.zone,
  planWrites: (changes) =>
    Either.map(planRRsetChanges(read, changes, request), (sets) =>
      changes.length === 0 ? [] : [writeOf({ changes, sets, read }, api, request)]
    )
})

interface Planned {
  readonly changes: ReadonlyArray<Change>
  readonly sets: ReadonlyArray<PowerDnsRRsetChange>
  readonly read: PowerDnsZone
}

const writeOf = ({ changes, read, sets }: Planned, api: PowerDnsApi, request: ZoneRequest): ZoneWrite => {
  const touched = affectedNames(changes, request)
  return {
    changes,
    send: Effect.gen(function* () {
      const now = yield* Effect.mapError(api.readRRsets, toReadFailure)
      if (serializeRRsetsAt(now, touched) !== serializeRRsetsAt(read.rrsets, touched)) return yield* hasChanged
      yield* Effect.mapError(api.patchRRsets(sets), toWriteFailure)
    }).pipe(Effect.withSpan("PowerDns.write"))
  }
}

const hasChanged = new ZoneChanged({ detail: "records at these names have changed since they were read" })
