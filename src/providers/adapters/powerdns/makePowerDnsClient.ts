import type { HttpClient } from "@effect/platform"
import { Effect, Either, Option, Redacted } from "effect"
import { computeInSlices } from "../../../computeInSlices.ts"
import type { Credential } from "../../../domain/Credential.ts"
import type { Change } from "../../../domain/Plan.ts"
import { anyTtl, type Capabilities } from "../../../domain/Provider.ts"
import {
  checkDelegation,
  defaultTimeouts,
  type ProviderClient,
  type Timeouts,
  type ZoneRequest,
  type ZoneSnapshot,
  type ZoneWrite
} from "../../ProviderClient.ts"
import { toOpenFailure, toReadFailure, toWriteFailure } from "../../ProviderError.ts"
import { ProviderFailure, ZoneChanged } from "../../ProviderFailure.ts"
import { findAffectedNames } from "../AffectedNames.ts"
import {
  makePowerDnsApi,
  type PowerDnsApi,
  type PowerDnsCredential,
  type PowerDnsRRsetChange,
  type PowerDnsSettings
} from "./PowerDnsApi.ts"
import {
  isAffected,
  listRRsetsAt,
  planRRsetChanges,
  type PowerDnsZone,
  serializeRRsetsAt,
  toPowerDnsZone
} from "./PowerDnsZone.ts"

/**
 * Makes a client for a PowerDNS server with an HTTP API, or for a proxy in front of it that accepts OAuth tokens
 * instead of the API key. A plan is written in one transaction. The API has no conditional writes: the RRsets are read
 * directly before the write, and a change that another client makes in between is lost.
 */
export const makePowerDnsClient = (installation: {
  readonly settings: PowerDnsSettings
  readonly capabilities: Capabilities
  readonly http: HttpClient.HttpClient
  readonly timeouts?: Timeouts
}): ProviderClient => ({
  credential: "api_token",
  openZone: Effect.fn("PowerDns.openZone")(function* (request) {
    const api = makePowerDnsApi(installation.http, installation.settings, {
      credential: yield* toPowerDnsCredential(request.credential),
      timeouts: installation.timeouts ?? defaultTimeouts,
      zone: request.zone
    })
    const { kind, rrsets } = yield* Effect.mapError(api.readHeader, toOpenFailure)
    if (!primaries.has(kind)) return yield* makeSecondaryZoneFailure(kind)
    const nameServers = rrsets.filter(({ name, type }) => type === "NS" && name.toLowerCase() === `${request.zone}.`)
    yield* checkDelegation(
      nameServers.flatMap(({ records }) => records.map(({ content }) => content)),
      request
    )
    return {
      limits: { capabilities: installation.capabilities, ttl: anyTtl },
      checkRecord: () => Option.none(),
      read: Effect.map(readZone(api, request), (zone) => toSnapshot(zone, api, request))
    }
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

const toPowerDnsCredential = (credential: Credential): Either.Either<PowerDnsCredential, ProviderFailure> => {
  if (credential._tag !== "api_token" && credential._tag !== "oauth_token") return Either.left(unusableCredential)
  const secret = credential._tag === "api_token" ? credential.apiToken : credential.accessToken
  return /^[!-~]+$/.test(Redacted.value(secret))
    ? Either.right({ kind: credential._tag, secret })
    : Either.left(unusableCredential)
}

const unusableCredential = new ProviderFailure({
  code: "credential_invalid",
  detail: "PowerDNS accepts an API key or an OAuth token, in ASCII"
})

const primaries: ReadonlySet<string> = new Set(["Native", "Master", "Primary", "Producer"])

const makeSecondaryZoneFailure = (kind: string) =>
  new ProviderFailure({ code: "provider_zone_locked", detail: `the zone is a copy (${kind}) from another server` })

const readZone = (api: PowerDnsApi, request: ZoneRequest): Effect.Effect<PowerDnsZone, ProviderFailure> =>
  Effect.mapError(
    Effect.flatMap(
      api.readRRsets(() => true),
      (rrsets) => Effect.flatten(computeInSlices(toPowerDnsZone(rrsets, request)))
    ),
    toReadFailure
  )

const toSnapshot = (read: PowerDnsZone, api: PowerDnsApi, request: ZoneRequest): ZoneSnapshot => ({
  zone: read.zone,
  planWrites: (changes) =>
    Either.map(planRRsetChanges(read, changes, request), (rrsetChanges) =>
      changes.length === 0 ? [] : [toWrite({ changes, rrsetChanges, read }, api, request)]
    )
})

interface PlannedWrite {
  readonly changes: ReadonlyArray<Change>
  readonly rrsetChanges: ReadonlyArray<PowerDnsRRsetChange>
  readonly read: PowerDnsZone
}

const toWrite = ({ changes, read, rrsetChanges }: PlannedWrite, api: PowerDnsApi, request: ZoneRequest): ZoneWrite => {
  const affected = findAffectedNames(changes, request)
  return {
    changes,
    send: Effect.gen(function* () {
      const current = yield* Effect.mapError(api.readRRsets(isAffected(affected)), toReadFailure)
      const planned = listRRsetsAt(read, affected)
      if (serializeRRsetsAt(current, affected) !== serializeRRsetsAt(planned, affected)) return yield* hasChanged
      yield* Effect.mapError(api.patchRRsets(rrsetChanges), toWriteFailure)
    }).pipe(Effect.withSpan("PowerDns.write"))
  }
}

const hasChanged = new ZoneChanged({ detail: "records at these names have changed since they were read" })
