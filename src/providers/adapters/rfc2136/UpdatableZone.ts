import { type Duration, Effect } from "effect"
import { randomInt } from "node:crypto"
import type { Endpoint } from "../../../dns/transport/Endpoint.ts"
import type { RawRecord } from "../../../dns/wire/SignedMessage.ts"
import type { TsigKey } from "../../../dns/wire/Tsig.ts"
import { encodeName, encodeUint16 } from "../../../dns/wire/encodeName.ts"
import { classIn, typeCodeOf } from "../../../dns/wire/recordTypes.ts"
import type { Timeouts } from "../../ProviderClient.ts"
import { ProviderError } from "../../ProviderError.ts"
import { ZoneChanged } from "../../ProviderFailure.ts"
import { exchangeSigned, type SignedResponse } from "./exchangeSigned.ts"

/** A zone that one server lets one key read and write. */
export interface UpdatableZone {
  /** The NS records of the zone, if the server has authority for it. */
  readonly readNameServers: Effect.Effect<ReadonlyArray<RawRecord>, ProviderError>
  /** Every record of the zone, by a transfer (RFC 5936). */
  readonly transfer: Effect.Effect<ReadonlyArray<RawRecord>, ProviderError>
  /** Carries out the bytes of an update (RFC 2136), whose first two are its id. */
  readonly update: (message: Uint8Array) => Effect.Effect<void, ProviderError | ZoneChanged>
}

export const makeUpdatableZone = (at: {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly zone: string
  readonly patience: Timeouts
}): UpdatableZone => {
  const ask = (message: Uint8Array, time: Duration.DurationInput, isComplete: IsComplete = () => true) =>
    Effect.timeoutFail(exchangeSigned({ ...at, message }, isComplete), { duration: time, onTimeout: () => noAnswer })
  return {
    readNameServers: Effect.gen(function* () {
      const [answer] = yield* ask(queryFor(at.zone, typeCodeOf("NS")), at.patience.call)
      if (answer?.rcode === refused || answer?.rcode === nameError) return yield* absent
      yield* succeeded(answer)
      return answer?.authoritative === true
        ? answer.answers.filter(({ code }) => code === typeCodeOf("NS"))
        : yield* absent
    }),
    transfer: Effect.gen(function* () {
      const answers = yield* ask(queryFor(at.zone, transferOfAll), at.patience.snapshot, isWhole)
      yield* succeeded(answers.at(-1))
      const [start, ...records] = answers.flatMap((answer) => answer.answers)
      const end = records.pop()
      return start !== undefined && end !== undefined && isStart(start) && Buffer.compare(start.data, end.data) === 0
        ? [start, ...records]
        : yield* new ProviderError({
            kind: "malformed",
            detail: "the transfer does not begin and end with the same SOA"
          })
    }),
    update: (message) =>
      Effect.gen(function* () {
        const [answer] = yield* ask(message, at.patience.call)
        // Anybody on the way can say that nothing was written.
        if (answer?.signature === undefined) return yield* notSigned
        if (conditionFailed.has(answer?.rcode ?? 0)) return yield* hasChanged
        yield* succeeded(answer)
      })
  }
}

const transferOfAll = 252
const [nameError, refused] = [3, 5]

const queryFor = (zone: string, code: number): Uint8Array =>
  Uint8Array.from([
    ...[randomInt(2 ** 16), 0, 1, 0, 0, 0].flatMap(encodeUint16),
    ...encodeName(zone),
    ...[code, classIn].flatMap(encodeUint16)
  ])

const isStart = ({ code }: RawRecord): boolean => code === typeCodeOf("SOA")

type IsComplete = (answers: ReadonlyArray<SignedResponse>) => boolean

/** The SOA stands at the beginning and again at the end; what does not begin so will not get better. */
const isWhole: IsComplete = (answers) => {
  const [first] = answers[0]?.answers ?? []
  const last = answers.at(-1)?.answers.at(-1)
  return first === undefined || !isStart(first) || (last !== undefined && last !== first && isStart(last))
}

const noAnswer = new ProviderError({ kind: "timed_out", detail: "no answer in time" })

const absent = new ProviderError({ kind: "absent", detail: "the server has no authority for the zone" })

const notSigned = new ProviderError({ kind: "malformed", detail: "the answer to an update is not signed" })

/** YXDOMAIN, YXRRSET, NXRRSET and, for a name, NXDOMAIN (RFC 2136 section 3.2). */
const conditionFailed: ReadonlySet<number> = new Set([nameError, 6, 7, 8])

const hasChanged = new ZoneChanged({ detail: "records at these names have changed since they were read" })

/** SERVFAIL, REFUSED, NOTAUTH; any other response code but 0 is a refusal. */
const kinds: ReadonlyMap<number, ProviderError["kind"]> = new Map([
  [2, "failing"],
  [refused, "forbidden"],
  [9, "absent"]
])

const succeeded = (answer: SignedResponse | undefined): Effect.Effect<void, ProviderError> =>
  answer?.rcode === 0
    ? Effect.void
    : Effect.fail(
        new ProviderError({
          kind: kinds.get(answer?.rcode ?? 0) ?? "rejected",
          detail: `the server answers with response code ${answer?.rcode}`
        })
      )
