import { Array, Either, Option } from "effect"
import { type DmarcRecord, parseDmarc } from "../../domain/records/DmarcRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** The DMARC record above a name that applies to its mail. */
interface DmarcTreeWalk {
  /** The record that applies, if there is one; the outer option is `none` while needed answers are missing. */
  readonly applicable: Option.Option<Option.Option<DmarcRecord>>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Performs the DNS Tree Walk for a name without a record of its own (RFC 9989 sections 4.10 and 4.10.1). */
export const walkDmarcTree = (domain: string, lookup: DnsLookup): DmarcTreeWalk => {
  const steps = listTreeWalkNames(domain).map((name) => {
    const question: LookupQuestion = { name: `_dmarc.${name}`, type: "TXT" }
    const answer = lookup(question)
    return { name, answer, found: Option.map(Either.getRight(answer), findDmarcRecord) }
  })
  const lastIndex = steps.findIndex(({ found }) => Option.exists(Option.flatten(found), endsWalk))
  const walkedSteps = lastIndex === -1 ? steps : steps.slice(0, lastIndex + 1)
  return {
    applicable: Option.map(Option.all(walkedSteps.map(ignoreUnknownTopLevel)), selectApplicable),
    unanswered: Array.getLefts(walkedSteps.map(({ answer }) => answer))
  }
}

interface TreeWalkStep {
  readonly name: string
  /** The record at the name, if there is one; the outer option is `none` if the answer is not known. */
  readonly found: Option.Option<Option.Option<DmarcRecord>>
}

/** With the name itself a receiver asks at most eight questions: it skips to the last seven labels. */
const listTreeWalkNames = (domain: string): ReadonlyArray<string> => {
  const labels = domain.split(".").slice(1).slice(-maxQuestionsAbove)
  return labels.map((_, depth) => labels.slice(depth).join("."))
}

const maxQuestionsAbove = 7

/** The DMARC record among the texts of a name; none if there are several. */
const findDmarcRecord = (values: ReadonlyArray<string>): Option.Option<DmarcRecord> => {
  const [record, ...others] = values.map(parseDmarc).filter(({ isVersioned }) => isVersioned)
  return others.length === 0 ? Option.fromNullable(record) : Option.none()
}

const endsWalk = ({ tags }: DmarcRecord): boolean => /^[yn]$/i.test(tags.get("psd") ?? "")

/**
 * The record that a step found. A missing answer of a top-level domain counts as none, so that no plan waits for it: few
 * have one (`psd=y`, RFC 9989 section 5.2).
 */
const ignoreUnknownTopLevel = ({ found, name }: TreeWalkStep) =>
  name.includes(".") ? found : Option.orElseSome(found, Option.none)

/** The record of the Organizational Domain (RFC 9989 section 4.10.2), else that of the public suffix above it. */
const selectApplicable = (found: ReadonlyArray<Option.Option<DmarcRecord>>): Option.Option<DmarcRecord> => {
  const [highest = Option.none(), below = Option.none()] = found.toReversed()
  return Option.exists(highest, ({ tags }) => tags.get("psd")?.toLowerCase() === "y")
    ? Option.orElse(below, () => highest)
    : Array.last(Array.getSomes(found))
}
