import { Either } from "effect"
import { dataOfAll, type Finding, type Findings, findingsIn } from "./findings.ts"
import type { Said } from "./inquiries.ts"
import { type AskedName, strangeBelow, wildcardAt } from "./namesToAsk.ts"
import type { NoAnswer } from "./NoAnswer.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** What a server has to be asked besides about names of which it says nothing that a wildcard may not say for them. */
export interface Doubts {
  /** The names themselves, with the types that the wildcard has and that they were not asked for. */
  readonly besides: ReadonlyArray<AskedName>
  /** Names below them, with one type that the wildcard has. */
  readonly below: ReadonlyArray<AskedName>
}

/** The names that one server leaves in doubt, none where there is no wildcard. `label` is one that no name has. */
export const doubtsIn = (said: ReadonlyArray<Said>, label: string): Doubts => {
  const findings = findingsIn(said)
  const names = new Map(said.map(({ asked }) => [asked.owner, asked]))
  const doubts = Array.from(names.values()).flatMap((asked) => {
    const wildcard = names.get(asked.wildcard ?? "")
    const [type, ...others] = wildcard === undefined ? [] : typesAt(findings, wildcard)
    if (type === undefined || asked.types.some((each) => isDistinct(findings, asked, each))) return []
    const missing = [type, ...others].filter((each) => !asked.types.includes(each))
    return [{ besides: { ...asked, types: missing }, below: strangeBelow(asked, type, label) }]
  })
  return {
    besides: doubts.map(({ besides }) => besides),
    below: Array.from(new Map(doubts.map(({ below }) => [below.owner, below])).values())
  }
}

/**
 * Whether a name exists, so that no wildcard answers for it: it says something else than the wildcard, or what is below
 * it does. Where it does not exist, the wildcard is the source for both (RFC 4592 section 3.3.1). `findings`: those in
 * what was said.
 */
export const existenceIn = (
  said: ReadonlyArray<Said>,
  findings: Findings,
  below: ReadonlyArray<Said>
): ((owner: string) => Either.Either<boolean, NoAnswer>) => {
  const findingsBelow = findingsIn(below)
  const distinct = new Set(
    said.filter(({ asked, type }) => isDistinct(findings, asked, type)).map(({ asked }) => asked.owner)
  )
  const proofs = new Map(
    below.map(({ asked: { owner, wildcard }, type }) => [
      owner,
      differ(findingsBelow(owner, type), findings(wildcard, type))
    ])
  )
  return (owner) => (distinct.has(owner) ? Either.right(true) : (proofs.get(wildcardAt(owner)) ?? Either.right(false)))
}

type Found = ReturnType<Findings>

/** The types of the records that stand there. */
const typesAt = (findings: Findings, { owner, types }: AskedName): ReadonlyArray<TypeName> => {
  const all = types.flatMap((type) =>
    Either.match(findings(owner, type), { onLeft: () => [], onRight: ({ own }) => own })
  )
  const found = new Set(all.map(({ type }) => type))
  return types.filter((type) => found.has(type))
}

/** Where one of them is unknown, no difference is known. */
const isDistinct = (findings: Findings, { owner, wildcard }: AskedName, type: TypeName): boolean =>
  Either.getOrElse(differ(findings(owner, type), findings(wildcard, type)), () => false)

const differ = (one: Found, other: Found): Either.Either<boolean, NoAnswer> =>
  Either.zipWith(one, other, (a: Finding, b: Finding) => dataOfAll(a.own) !== dataOfAll(b.own))
