import { Either } from "effect"
import type { NoAnswer } from "../transport/Query.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import { makeChildProbe, type QuestionSet, type RRsetResponse, wildcardOf } from "./QuestionSet.ts"
import { indexResponses, type ResponseIndex, type ResponseRecords, rrsetDataKey } from "./ResponseIndex.ts"

/** What a server has to be asked besides about names of which it says nothing that a wildcard may not say for them. */
export interface WildcardProbes {
  /** The names themselves, with the types that the wildcard has and that they were not asked for. */
  readonly additionalTypes: ReadonlyArray<QuestionSet>
  /** Names below them, with one type that the wildcard has. */
  readonly children: ReadonlyArray<QuestionSet>
}

/** The names that one server leaves in doubt, none where there is no wildcard. `label` is one that no name has. */
export const findWildcardProbes = (said: ReadonlyArray<RRsetResponse>, label: string): WildcardProbes => {
  const findings = indexResponses(said)
  const names = new Map(said.map(({ questionSet: asked }) => [asked.owner, asked]))
  const doubts = Array.from(names.values()).flatMap((asked) => {
    const wildcard = names.get(asked.wildcard ?? "")
    const [type, ...others] = wildcard === undefined ? [] : typesAt(findings, wildcard)
    if (type === undefined || asked.types.some((each) => isDistinct(findings, asked, each))) return []
    const missing = [type, ...others].filter((each) => !asked.types.includes(each))
    return [{ besides: { ...asked, types: missing }, below: makeChildProbe(asked, type, label) }]
  })
  return {
    additionalTypes: doubts.map(({ besides }) => besides),
    children: Array.from(new Map(doubts.map(({ below }) => [below.owner, below])).values())
  }
}

/**
 * Whether a name exists, so that no wildcard answers for it: it says something else than the wildcard, or what is below
 * it does. Where it does not exist, the wildcard is the source for both (RFC 4592 section 3.3.1). `findings`: those in
 * what was said.
 */
export const makeExistenceCheck = (
  said: ReadonlyArray<RRsetResponse>,
  findings: ResponseIndex,
  below: ReadonlyArray<RRsetResponse>
): ((owner: string) => Either.Either<boolean, NoAnswer>) => {
  const findingsBelow = indexResponses(below)
  const distinct = new Set(
    said
      .filter(({ questionSet: asked, type }) => isDistinct(findings, asked, type))
      .map(({ questionSet: asked }) => asked.owner)
  )
  const proofs = new Map(
    below.map(({ questionSet: { owner, wildcard }, type }) => [
      owner,
      differ(findingsBelow(owner, type), findings(wildcard, type))
    ])
  )
  return (owner) => (distinct.has(owner) ? Either.right(true) : (proofs.get(wildcardOf(owner)) ?? Either.right(false)))
}

type Found = ReturnType<ResponseIndex>

/** The types of the records that stand there. */
const typesAt = (findings: ResponseIndex, { owner, types }: QuestionSet): ReadonlyArray<RecordTypeName> => {
  const all = types.flatMap((type) =>
    Either.match(findings(owner, type), { onLeft: () => [], onRight: ({ own }) => own })
  )
  const found = new Set(all.map(({ type }) => type))
  return types.filter((type) => found.has(type))
}

/** Where one of them is unknown, no difference is known. */
const isDistinct = (findings: ResponseIndex, { owner, wildcard }: QuestionSet, type: RecordTypeName): boolean =>
  Either.getOrElse(differ(findings(owner, type), findings(wildcard, type)), () => false)

const differ = (one: Found, other: Found): Either.Either<boolean, NoAnswer> =>
  Either.zipWith(one, other, (a: ResponseRecords, b: ResponseRecords) => rrsetDataKey(a.own) !== rrsetDataKey(b.own))
