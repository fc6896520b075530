import { Either } from "effect"
import type { RecordTypeName } from "../../domain/records/dnsTypes.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import type { NoAnswer } from "../transport/Query.ts"
import { makeChildProbe, type QuestionSet, type RRsetResponse, wildcardOf } from "./QuestionSet.ts"
import { indexResponses, type ResponseIndex, type ResponseRecords, rrsetDataKeyOf } from "./ResponseIndex.ts"
import { visitAnswers } from "./visitAnswers.ts"

/** Further questions to a server about names whose answers may all be synthesized from a wildcard. */
interface WildcardProbes {
  /** The names themselves, with the types of the wildcard that have not been queried yet. */
  readonly additionalTypes: ReadonlyArray<QuestionSet>
  /** Names below them, with one type that the wildcard has. */
  readonly children: ReadonlyArray<QuestionSet>
}

/** Finds the names that are ambiguous after the responses of one server. `label` is random: no name has it. */
export function* findWildcardProbes(
  responses: ReadonlyArray<RRsetResponse>,
  label: string
): LongComputation<WildcardProbes> {
  const index = yield* indexResponses(responses)
  const questionSets = new Map(responses.map(({ questionSet }) => [questionSet.owner, questionSet]))
  const additionalTypes: Array<QuestionSet> = []
  const children = new Map<string, QuestionSet>()
  yield* visitAnswers(questionSets.values(), (questionSet) => {
    const wildcard = questionSets.get(questionSet.wildcard ?? "")
    const [type, ...others] = wildcard === undefined ? [] : presentTypes(index, wildcard)
    if (type === undefined || questionSet.types.some((each) => isDistinct(index, questionSet, each))) return
    const missing = [type, ...others].filter((each) => !questionSet.types.includes(each))
    const child = makeChildProbe(questionSet, type, label)
    additionalTypes.push({ ...questionSet, types: missing })
    children.set(child.owner, child)
  })
  return { additionalTypes, children: [...children.values()] }
}

/**
 * Makes a function that tells whether a name exists: the name or a probe below it has other records than the wildcard
 * (RFC 4592 section 3.3.1). `index` is that of `responses`.
 */
export function* makeExistenceCheck(
  responses: ReadonlyArray<RRsetResponse>,
  index: ResponseIndex,
  childResponses: ReadonlyArray<RRsetResponse>
): LongComputation<(owner: string) => Either.Either<boolean, NoAnswer>> {
  const childIndex = yield* indexResponses(childResponses)
  const distinct = new Set<string>()
  yield* visitAnswers(responses, ({ questionSet, type }) => {
    if (isDistinct(index, questionSet, type)) distinct.add(questionSet.owner)
  })
  const childExistence = new Map(
    childResponses.map(({ questionSet: { owner, wildcard }, type }) => [
      owner,
      haveDifferentData(childIndex(owner, type), index(wildcard, type))
    ])
  )
  return (owner) =>
    distinct.has(owner) ? Either.right(true) : (childExistence.get(wildcardOf(owner)) ?? Either.right(false))
}

type IndexedRecords = ReturnType<ResponseIndex>

const presentTypes = (index: ResponseIndex, { owner, types }: QuestionSet): ReadonlyArray<RecordTypeName> => {
  const records = types.flatMap((type) =>
    Either.match(index(owner, type), { onLeft: () => [], onRight: ({ own }) => own })
  )
  const present = new Set(records.map(({ type }) => type))
  return types.filter((type) => present.has(type))
}

/** Whether a name is known to have other records than its wildcard. */
const isDistinct = (index: ResponseIndex, { owner, wildcard }: QuestionSet, type: RecordTypeName): boolean =>
  Either.getOrElse(haveDifferentData(index(owner, type), index(wildcard, type)), () => false)

const haveDifferentData = (first: IndexedRecords, second: IndexedRecords): Either.Either<boolean, NoAnswer> =>
  Either.zipWith(
    first,
    second,
    (a: ResponseRecords, b: ResponseRecords) => rrsetDataKeyOf(a.own) !== rrsetDataKeyOf(b.own)
  )
