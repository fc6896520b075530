import { randomInt } from "node:crypto"
import { type Duration, Effect } from "effect"
import type { Endpoint } from "../../dns/Endpoint.ts"
import { encodeName, uint16 } from "../../dns/wire/encodeName.ts"
import { classIn, codeOf } from "../../dns/wire/recordTypes.ts"
import type { RawRecord } from "../../dns/wire/SignedMessage.ts"
import type { TsigKey } from "../../dns/wire/Tsig.ts"
import type { Patience } from "../Patience.ts"
import { ZoneChanged } from "../ProviderFailure.ts"
import { Trouble } from "../Trouble.ts"
import { type Answer, signedExchange } from "./signedExchange.ts"

/** A zone that one server lets one key read and write. */
export interface UpdatableZone {
  /** The NS records of the zone, if the server has authority for it. */
  readonly nameServers: Effect.Effect<ReadonlyArray<RawRecord>, Trouble>
  /** Every record of the zone, by a transfer (RFC 5936). */
  readonly transfer: Effect.Effect<ReadonlyArray<RawRecord>, Trouble>
  /** Carries out the bytes of an update (RFC 2136), whose first two are its id. */
  readonly update: (message: Uint8Array) => Effect.Effect<void, Trouble | ZoneChanged>
}

export const updatableZone = (at: {
  readonly server: Endpoint
  readonly key: TsigKey
  readonly zone: string
  readonly patience: Patience
}): UpdatableZone => {
  const ask = (message: Uint8Array, time: Duration.DurationInput, isComplete: IsComplete = () => true) =>
    Effect.timeoutFail(signedExchange({ ...at, message }, isComplete), { duration: time, onTimeout: () => noAnswer })
  return {
    nameServers: Effect.gen(function* () {
      const [answer] = yield* ask(queryFor(at.zone, codeOf("NS")), at.patience.call)
      if (answer?.rcode === refused || answer?.rcode === nameError) return yield* absent
      yield* succeeded(answer)
      return answer?.authoritative === true ? answer.answers.filter(({ code }) => code === codeOf("NS")) : yield* absent
    }),
    transfer: Effect.gen(function* () {
      const answers = yield* ask(queryFor(at.zone, transferOfAll), at.patience.snapshot, isWhole)
      yield* succeeded(answers.at(-1))
      const [start, ...records] = answers.flatMap((answer) => answer.answers)
      const end = records.pop()
      return start !== undefined && end !== undefined && isStart(start) && Buffer.compare(start.data, end.data) === 0
        ? [start, ...records]
        : yield* new Trouble({ kind: "malformed", detail: "the transfer does not begin and end with the same SOA" })
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
    ...[randomInt(2 ** 16), 0, 1, 0, 0, 0].flatMap(uint16),
    ...encodeName(zone),
    ...[code, classIn].flatMap(uint16)
  ])

const isStart = ({ code }: RawRecord): boolean => code === codeOf("SOA")

type IsComplete = (answers: ReadonlyArray<Answer>) => boolean

/** The SOA stands at the beginning and again at the end; what does not begin so will not get better. */
const isWhole: IsComplete = (answers) => {
  const [first] = answers[0]?.answers ?? []
  const last = answers.at(-1)?.answers.at(-1)
  return first === undefined || !isStart(first) || (last !== undefined && last !== first && isStart(last))
}

const noAnswer = new Trouble({ kind: "timed_out", detail: "no answer in time" })

const absent = new Trouble({ kind: "absent", detail: "the server has no authority for the zone" })

const notSigned = new Trouble({ kind: "malformed", detail: "the answer to an update is not signed" })

/** YXDOMAIN, YXRRSET, NXRRSET and, for a name, NXDOMAIN (RFC 2136 section 3.2). */
const conditionFailed: ReadonlySet<number> = new Set([nameError, 6, 7, 8])

const hasChanged = new ZoneChanged({ detail: "records at these names have changed since they were read" })

/** SERVFAIL, REFUSED, NOTAUTH; any other response code but 0 is a refusal. */
const kinds: ReadonlyMap<number, Trouble["kind"]> = new Map([
  [2, "failing"],
  [refused, "forbidden"],
  [9, "absent"]
])

const succeeded = (answer: Answer | undefined): Effect.Effect<void, Trouble> =>
  answer?.rcode === 0
    ? Effect.void
    : Effect.fail(
        new Trouble({
          kind: kinds.get(answer?.rcode ?? 0) ?? "rejected",
          detail: `the server answers with response code ${answer?.rcode}`
        })
      )
