import { Either } from "effect"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { findZoneSoa, nameError } from "../wire/Message.ts"
import { expandQuestionSet, type QuestionSet, type RRsetQuestion, type RRsetResponse } from "./QuestionSet.ts"

/** Splits off the questions that the first two answer: by NXDOMAIN twice, or an alias (RFC 1034 section 3.6.2). */
export function* inferFromFirstTwo(
  zone: string,
  questionSets: ReadonlyArray<QuestionSet>,
  first: ReadonlyArray<RRsetResponse>
): LongComputation<{
  readonly inferred: ReadonlyArray<RRsetResponse>
  readonly remaining: ReadonlyArray<RRsetQuestion>
}> {
  const responsesOf = Map.groupBy(first, ({ questionSet }) => questionSet)
  const inferred: Array<RRsetResponse> = []
  const remaining: Array<RRsetQuestion> = []
  const isDenial = makeDenialCheck(zone)
  yield* visitEach(questionSets, (questionSet) => {
    const responses = responsesOf.get(questionSet) ?? []
    const conclusive = responses.every(isDenial) || responses.every(isAlias) ? responses[0] : undefined
    for (const question of expandQuestionSet(questionSet).slice(2)) {
      if (conclusive === undefined) remaining.push(question)
      else inferred.push({ ...question, answer: conclusive.answer })
    }
  })
  return { inferred, remaining }
}

/** Not at the apex, which has no wildcard above: there are always more records, however a server shows an alias there. */
const isAlias = ({ answer, questionSet: { queryName, wildcard } }: RRsetResponse): boolean =>
  wildcard !== undefined &&
  Either.isRight(answer) &&
  answer.right._tag === "Authoritative" &&
  answer.right.message.answers.some(({ name, type }) => type === "CNAME" && name === queryName)

/** NXDOMAIN denies a name (RFC 2308 section 2.1), without the SOA only a type: some load balancers send it so. */
const makeDenialCheck =
  (zone: string) =>
  ({ answer, questionSet: { queryName } }: RRsetResponse): boolean =>
    Either.isRight(answer) &&
    answer.right._tag === "Authoritative" &&
    answer.right.message.rcode === nameError &&
    answer.right.message.answers.length === 0 &&
    findZoneSoa(answer.right.message, queryName, zone) !== undefined
