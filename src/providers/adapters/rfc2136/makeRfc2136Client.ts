import { Effect, Either, Encoding, Redacted, Schema } from "effect"
import { randomInt } from "node:crypto"
import { computeInSlices } from "../../../runtime/computeInSlices.ts"
import type { TsigKey } from "../../../dns/wire/Tsig.ts"
import { WireReader } from "../../../dns/wire/WireReader.ts"
import type { Credential } from "../../../domain/provider/Credential.ts"
import { anyTtl, type Capabilities } from "../../../domain/provider/Provider.ts"
import { toAbsoluteName } from "../../../domain/records/presentation.ts"
import {
  checkDelegation,
  defaultTimeouts,
  type ProviderClient,
  type Timeouts,
  type ZoneRequest,
  type ZoneSnapshot,
  type ZoneWrite
} from "../../ProviderClient.ts"
import type { MeasureCall } from "../../measureCalls.ts"
import { toOpenFailure, toReadFailure, toWriteFailure } from "../../ProviderError.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"
import {
  checkRecord,
  type PlannedUpdate,
  planUpdates,
  toTransferredZone,
  type TransferredZone
} from "./TransferredZone.ts"
import { makeUpdatableZone, type UpdatableZone } from "./UpdatableZone.ts"
import { encodeUpdate } from "./encodeUpdate.ts"

/** A server that accepts updates; `server` is its host name or address. */
export const Rfc2136Settings = Schema.Struct({
  server: Schema.NonEmptyString,
  port: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 65_535)), { default: () => 53 })
})
export type Rfc2136Settings = typeof Rfc2136Settings.Type

/**
 * The client for servers with signed (RFC 8945) updates (RFC 2136) and transfers (RFC 5936): BIND, Knot and others. A plan
 * is one message if it fits, and written only if nothing has changed at its names.
 */
export const makeRfc2136Client = (installation: {
  readonly settings: Rfc2136Settings
  readonly capabilities: Capabilities
  readonly measure: MeasureCall
  readonly timeouts?: Timeouts
}): ProviderClient => ({
  credential: "tsig_key",
  openZone: Effect.fnUntraced(function* (request) {
    const { port, server } = installation.settings
    const zone = makeUpdatableZone({
      server: { host: server, port },
      key: yield* toTsigKey(request.credential),
      zone: request.zone,
      measure: installation.measure,
      timeouts: installation.timeouts ?? defaultTimeouts
    })
    const nameServers = yield* Effect.mapError(zone.readNameServers, toOpenFailure)
    yield* checkDelegation(
      nameServers.map(({ data }) => new WireReader(data).readName()),
      request
    )
    return {
      limits: { capabilities: installation.capabilities, ttl: anyTtl },
      checkRecord: (record) => checkRecord(record, request),
      read: zone.transfer.pipe(
        Effect.flatMap((records) => Effect.flatten(computeInSlices(toTransferredZone(records, request)))),
        Effect.mapBoth({ onFailure: toReadFailure, onSuccess: (read) => toSnapshot(read, zone, request) })
      )
    }
  })
})

export const rfc2136Capabilities: Capabilities = {
  rootNSModification: "supported",
  subdomainNSModification: "supported",
  wwwRedirect: "unsupported",
  cnameFlattening: "unsupported",
  wildcardRecords: "supported",
  caaRecords: "supported",
  spfRecords: "supported",
  socialLogin: "not_applicable"
}

const toTsigKey = (credential: Credential): Effect.Effect<TsigKey, ProviderFailure> =>
  Effect.gen(function* () {
    if (credential._tag !== "tsig_key") return yield* invalidKey
    const name = yield* Effect.mapError(toAbsoluteName(credential.name, "."), () => invalidKey)
    const secret = yield* Effect.mapError(Encoding.decodeBase64(Redacted.value(credential.secret)), () => invalidKey)
    return { name, algorithm: credential.algorithm, secret: Redacted.make(secret) }
  })

const invalidKey = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "a TSIG key has a domain name and a secret in Base64"
})

const toSnapshot = (read: TransferredZone, zone: UpdatableZone, request: ZoneRequest): ZoneSnapshot => ({
  zone: read.zone,
  planWrites: (changes) =>
    Either.map(planUpdates(read, changes, request), (updates) => updates.map((update) => toWrite(update, zone)))
})

const toWrite = ({ changes, update }: PlannedUpdate, zone: UpdatableZone): ZoneWrite => ({
  changes,
  send: Effect.suspend(() => zone.update(encodeUpdate(randomInt(2 ** 16), update))).pipe(
    Effect.catchTag("ProviderError", (error) => Effect.fail(toWriteFailure(error))),
    Effect.withSpan("Rfc2136.write")
  )
})
