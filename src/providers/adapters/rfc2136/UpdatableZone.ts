import { Cause, type Duration, Effect, Exit, Option } from "effect"
import { randomInt } from "node:crypto"
import { typeCodeOf } from "../../../domain/records/dnsTypes.ts"
import { encodeName, encodeUint16 } from "../../../domain/records/encodeName.ts"
import type { Endpoint } from "../../../dns/transport/Endpoint.ts"
import { nameError, noError, refused } from "../../../dns/wire/Message.ts"
import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import type { TsigKey } from "../../../dns/wire/Tsig.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import type { CallResult, MeasureCall } from "../../measureCalls.ts"
import { ProviderError } from "../../ProviderError.ts"
import { type ZoneChanged, zoneChangedSinceRead } from "../../ProviderFailure.ts"
import { exchangeSigned, type SignedResponse } from "./exchangeSigned.ts"
import { transferLimits, readAdmitted } from "../../zoneLimits.ts"
import { classIn } from "../../../dns/wire/classes.ts"

/** A zone that one key may read and write on one server. */
export interface UpdatableZone {
  /** Reads the NS records of the zone, if the server is authoritative for it. */
  readonly readNameServers: Effect.Effect<ReadonlyArray<RawRecord>, ProviderError>
  /** Reads every record of the zone by a zone transfer (RFC 5936). */
  readonly transfer: Effect.Effect<ReadonlyArray<RawRecord>, ProviderError>
  /** Sends an update (RFC 2136), whose first two bytes are its id. */
  readonly update: (message: Uint8Array) => Effect.Effect<void, ProviderError | ZoneChanged>
}

export const makeUpdatableZone = (access: {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly zone: string
  readonly measure: MeasureCall
  readonly timeouts: Timeouts
}): UpdatableZone => {
  const send = (
    message: Uint8Array,
    timeout: Duration.DurationInput,
    {
      admits = (bytes) => bytes <= transferLimits.maxBytes,
      isComplete = () => true
    }: { readonly admits?: (bytes: number) => boolean; readonly isComplete?: CompletenessCheck } = {}
  ) =>
    Effect.timeoutFail(access.measure(exchangeSigned({ ...access, message, admits }, isComplete), resultOf), {
      duration: timeout,
      onTimeout: () => noAnswer
    })
  return {
    readNameServers: Effect.gen(function* () {
      const [response] = yield* send(encodeQuery(access.zone, typeCodeOf("NS")), access.timeouts.call)
      if (response?.rcode === refused || response?.rcode === nameError) return yield* absent
      yield* requireSuccess(response)
      return response?.isAuthoritative === true
        ? response.answers.filter(({ code }) => code === typeCodeOf("NS"))
        : yield* absent
    }),
    transfer: Effect.gen(function* () {
      const responses = yield* readAdmitted(
        (admits) =>
          send(encodeQuery(access.zone, axfrTypeCode), access.timeouts.snapshot, {
            admits,
            isComplete: isTransferComplete
          }),
        transferLimits
      )
      yield* requireSuccess(responses.at(-1))
      const [start, ...records] = responses.flatMap(({ answers }) => answers)
      const end = records.pop()
      return start !== undefined && end !== undefined && isSoa(start) && Buffer.compare(start.data, end.data) === 0
        ? [start, ...records]
        : yield* new ProviderError({
            kind: "malformed",
            detail: "the transfer does not begin and end with the same SOA"
          })
    }),
    update: (message) =>
      Effect.gen(function* () {
        const [response] = yield* send(message, access.timeouts.call)
        // Anybody on the network path could send an unsigned response.
        if (response?.signature === undefined) return yield* notSigned
        if (failedPrerequisites.has(response?.rcode ?? 0)) return yield* zoneChangedSinceRead
        yield* requireSuccess(response)
      })
  }
}

const axfrTypeCode = 252

const encodeQuery = (zone: string, code: number): Uint8Array =>
  Uint8Array.from([
    ...[randomInt(2 ** 16), 0, 1, 0, 0, 0].flatMap(encodeUint16),
    ...encodeName(zone),
    ...[code, classIn].flatMap(encodeUint16)
  ])

const isSoa = ({ code }: RawRecord): boolean => code === typeCodeOf("SOA")

type CompletenessCheck = (responses: ReadonlyArray<SignedResponse>) => boolean

/** A transfer begins and ends with the SOA; one that does not begin with it ends at once. */
const isTransferComplete: CompletenessCheck = (responses) => {
  const [first] = responses[0]?.answers ?? []
  const last = responses.at(-1)?.answers.at(-1)
  return first === undefined || !isSoa(first) || (last !== undefined && last !== first && isSoa(last))
}

const noAnswer = new ProviderError({ kind: "timed_out", detail: "no answer in time" })

const absent = new ProviderError({ kind: "absent", detail: "the server is not authoritative for the zone" })

const notSigned = new ProviderError({ kind: "malformed", detail: "the response to an update is not signed" })

/** YXDOMAIN, YXRRSET, NXRRSET and, for a name, NXDOMAIN (RFC 2136 section 3.2). */
const failedPrerequisites: ReadonlySet<number> = new Set([nameError, 6, 7, 8])

/** SERVFAIL, REFUSED and NOTAUTH; any other response code except 0 rejects the request. */
const errorKinds: ReadonlyMap<number, ProviderError["kind"]> = new Map([
  [2, "failing"],
  [refused, "forbidden"],
  [9, "absent"]
])

const resultOf = (exit: Exit.Exit<ReadonlyArray<SignedResponse>, ProviderError>): CallResult =>
  Exit.match(exit, {
    onSuccess: (responses) => {
      const rcode = responses.at(-1)?.rcode ?? noError
      return rcode === noError ? "ok" : resultOfKind(errorKinds.get(rcode) ?? "rejected")
    },
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), { onNone: () => "timed_out", onSome: ({ kind }) => resultOfKind(kind) })
  })

const resultOfKind = (kind: ProviderError["kind"]): CallResult => {
  if (kind === "failing" || kind === "unreachable") return kind
  return kind === "credential_refused" || kind === "forbidden" ? "refused" : "rejected"
}

const requireSuccess = (response: SignedResponse | undefined): Effect.Effect<void, ProviderError> =>
  response?.rcode === noError
    ? Effect.void
    : Effect.fail(
        new ProviderError({
          kind: errorKinds.get(response?.rcode ?? 0) ?? "rejected",
          detail: `the server answers with response code ${response?.rcode}`
        })
      )
