import { Array, Deferred, Duration, Effect, Either, identity } from "effect"
import { isRareType, queryableTypes, type RecordTypeName } from "../../domain/records/dnsTypes.ts"
import { findZoneSoa, noError } from "../wire/Message.ts"
import type { QuestionSender, QuestionSet, RRsetQuestion, RRsetResponse } from "./QuestionSet.ts"
import { recordDataKeyOf } from "./ResponseIndex.ts"
import { visitAnswers } from "./visitAnswers.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"

/** Queries what the first responses leave open; for a rare type, the response may be the reference server's. */
export type RemainingQueries = (
  send: QuestionSender,
  first: ReadonlyArray<RRsetResponse>,
  remaining: ReadonlyArray<RRsetQuestion>
) => Effect.Effect<ReadonlyArray<RRsetResponse>>

/** How the servers of one survey are queried: one of them for every type, the others for rare ones only if they differ. */
interface RareTypeQueries {
  readonly ofReference: RemainingQueries
  readonly ofOther: RemainingQueries
}

export const makeRareTypeQueries = (zone: string): Effect.Effect<RareTypeQueries> =>
  Effect.map(Deferred.make<ReadonlyArray<RRsetResponse>>(), (reference) => {
    const awaitReference = Effect.timeoutTo(Deferred.await(reference), {
      duration: waitForReference,
      onSuccess: identity,
      onTimeout: () => []
    })
    return {
      ofReference: (send, first, remaining) =>
        Effect.tap(send(remaining), (responses) => Deferred.succeed(reference, [...first, ...responses])),
      ofOther: (send, first, remaining) =>
        Effect.gen(function* () {
          const [common, rare] = Array.partition(remaining, isIncidental)
          const responses = yield* send(common)
          if (rare.length === 0) return responses
          const { adopted, open } = yield* computeInSlices(
            adoptRareResponses(zone, rare, [...first, ...responses], yield* awaitReference)
          )
          return [...responses, ...adopted, ...(yield* send(open))]
        })
    }
  })

/** Whether a rare type is asked for with all others, and not because an intent has it. */
const isIncidental = ({ questionSet: { types }, type }: RRsetQuestion): boolean =>
  isRareType(type) && types.length >= queryableTypes.length

/** Longer than a round trip to the other side of the earth; after that a server is queried itself. */
const waitForReference = Duration.millis(400)

/** Adopts the reference server's responses for rare types where both agree on all else at the name and the SOA. */
function* adoptRareResponses(
  zone: string,
  rare: ReadonlyArray<RRsetQuestion>,
  own: ReadonlyArray<RRsetResponse>,
  reference: ReadonlyArray<RRsetResponse>
): LongComputation<{
  readonly adopted: ReadonlyArray<RRsetResponse>
  readonly open: ReadonlyArray<RRsetQuestion>
}> {
  const ownFacts = yield* listFacts(zone, own)
  const referenceFacts = yield* listFacts(zone, reference)
  const adopted: Array<RRsetResponse> = []
  const open: Array<RRsetQuestion> = []
  yield* visitAnswers(
    Map.groupBy(rare, ({ questionSet }) => questionSet),
    ([questionSet, questions]) => {
      const known: NameFacts = referenceFacts.get(questionSet) ?? new Map()
      const commonSoa = findCommonSoa(ownFacts.get(questionSet) ?? new Map(), known)
      for (const question of questions) {
        const fact = known.get(question.type)
        const isOfSameZone = commonSoa !== undefined && (fact?.soa ?? commonSoa) === commonSoa
        if (fact === undefined || !isOfSameZone) open.push(question)
        else adopted.push({ ...question, answer: fact.answer })
      }
    }
  )
  return { adopted, open }
}

/** The answer of a server for a type at a name: records, or the SOA that proves that there are none. */
interface TypeFact {
  readonly answer: RRsetResponse["answer"]
  readonly records: string
  readonly soa: string | undefined
}

/** The answers by type; undefined after any other response, which implies nothing about another server. */
type NameFacts = ReadonlyMap<RecordTypeName, TypeFact | undefined>

function* listFacts(
  zone: string,
  responses: ReadonlyArray<RRsetResponse>
): LongComputation<ReadonlyMap<QuestionSet, NameFacts>> {
  const names = new Map<QuestionSet, Map<RecordTypeName, TypeFact | undefined>>()
  yield* visitAnswers(responses, (response) => {
    const { questionSet, type } = response
    const facts = names.get(questionSet) ?? new Map<RecordTypeName, TypeFact | undefined>()
    names.set(questionSet, facts.set(type, findFact(zone, response)))
  })
  return names
}

const findFact = (zone: string, { answer, questionSet: { queryName } }: RRsetResponse): TypeFact | undefined => {
  if (Either.isLeft(answer) || answer.right._tag !== "Authoritative") return undefined
  const { message } = answer.right
  // A server that denies the existence of a name and has records there is wrong about one of both.
  if (message.rcode !== noError) return undefined
  const records = message.answers.map((record) => `${record.name} ${recordDataKeyOf(record)}`).toSorted()
  if (records.length > 0) return { answer, records: records.join("\n"), soa: undefined }
  const soa = findZoneSoa(message, queryName, zone)
  return soa === undefined ? undefined : { answer, records: "", soa: `${soa.name} ${soa.value}` }
}

/** The only SOA that two servers show at a name; undefined unless the second one shows all that the first one does. */
const findCommonSoa = (one: NameFacts, other: NameFacts): string | undefined => {
  const isSame = [...one].every(([type, fact]) => {
    const same = other.get(type)
    return fact !== undefined && same !== undefined && fact.records === same.records && fact.soa === same.soa
  })
  const [soa, ...others] = new Set([...one.values()].flatMap((fact) => fact?.soa ?? []))
  return isSame && others.length === 0 ? soa : undefined
}
