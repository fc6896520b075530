import { Array, Either, Option } from "effect"
import { type DmarcRecord, parseDmarc } from "../../domain/DmarcRecord.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** What applies to mail of a name by the records above it. */
export interface DmarcTreeWalk {
  /** The record above that applies, if there is one; `none` while answers are missing on which it depends. */
  readonly applicable: Option.Option<Option.Option<DmarcRecord>>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The DNS Tree Walk for a name without a record of its own (RFC 9989 sections 4.10 and 4.10.1). */
export const walkDmarcTree = (domain: string, lookup: DnsLookup): DmarcTreeWalk => {
  const steps = namesAbove(domain).map((name) => {
    const question: LookupQuestion = { name: `_dmarc.${name}`, type: "TXT" }
    const answer = lookup(question)
    return { name, answer, found: Option.map(Either.getRight(answer), recordAmong) }
  })
  const end = steps.findIndex(({ found }) => Option.exists(Option.flatten(found), endsWalk))
  const walked = end === -1 ? steps : steps.slice(0, end + 1)
  return {
    applicable: Option.map(Option.all(walked.map(foundOrImmaterial)), applicableAmong),
    unanswered: Array.getLefts(walked.map(({ answer }) => answer))
  }
}

interface Step {
  readonly name: string
  /** The record at the name, if there is one; `none` where the answer is not known. */
  readonly found: Option.Option<Option.Option<DmarcRecord>>
}

/** With the name itself a receiver asks eight questions at most: it skips to the last seven labels. */
const namesAbove = (domain: string): ReadonlyArray<string> => {
  const above = domain.split(".").slice(1)
  return above.map((_, depth) => above.slice(depth).join(".")).slice(-maxQuestionsAbove)
}

const maxQuestionsAbove = 7

/** What is no DMARC record is discarded, and so are all where a name has several. */
const recordAmong = (values: ReadonlyArray<string>): Option.Option<DmarcRecord> => {
  const [record, ...others] = values.map(parseDmarc).filter(({ isVersioned }) => isVersioned)
  return others.length === 0 ? Option.fromNullable(record) : Option.none()
}

const endsWalk = ({ tags }: DmarcRecord): boolean => /^[yn]$/i.test(tags.get("psd") ?? "")

/**
 * A top-level domain is nobody's Organizational Domain: what it asks of names without a policy of their own is asked of
 * all who are registered below it (`psd=y`, RFC 9989 section 5.2), and hardly any asks. Not to know it stops nothing.
 */
const foundOrImmaterial = ({ found, name }: Step) =>
  name.includes(".") ? found : Option.orElseSome(found, Option.none)

/** That of the Organizational Domain (RFC 9989 section 4.10.2), else that of the public suffix above it. */
const applicableAmong = (found: ReadonlyArray<Option.Option<DmarcRecord>>): Option.Option<DmarcRecord> => {
  const [highest = Option.none(), below = Option.none()] = found.toReversed()
  return Option.exists(highest, ({ tags }) => tags.get("psd")?.toLowerCase() === "y")
    ? Option.orElse(below, () => highest)
    : Array.last(Array.getSomes(found))
}
