import { Array, Either, Order } from "effect"
import { isWithin } from "../domain/DomainName.ts"
import type { Said } from "./inquiries.ts"
import type { NoAnswer } from "./NoAnswer.ts"
import { ServerAnswer } from "./serverAnswer.ts"
import type { ResourceRecord } from "./wire/decodeAnswer.ts"
import type { RecordData } from "./wire/recordData.ts"
import type { TypeName } from "./wire/recordTypes.ts"

/** Records of the name that was asked for, and those of a name above it by which everything below is elsewhere. */
export interface Finding {
  readonly own: ReadonlyArray<ResourceRecord>
  readonly elsewhere: ReadonlyArray<ResourceRecord>
}

/** What a server said of a type at an owner; nothing where it was not asked, or there is no such owner. */
export type Findings = (owner: string | undefined, type: TypeName) => Either.Either<Finding, NoAnswer>

/**
 * What one server said, to be looked up. An alias stands alone (RFC 1034 section 3.6.2): it answers also for the types
 * to which a server that cannot follow it says nothing.
 */
export const findingsIn = (said: ReadonlyArray<Said>): Findings => {
  const found = new Map(said.map((one) => [keyOf(one.asked.owner, one.type), Either.map(one.answer, findIn(one))]))
  const at: Findings = (owner, type) => found.get(keyOf(owner, type)) ?? Either.right(nothing)
  return (owner, type) =>
    Either.orElse(at(owner, type), (unknown) =>
      Either.filterOrLeft(
        at(owner, "CNAME"),
        ({ own }) => own.length > 0,
        () => unknown
      )
    )
}

/** What records say, owners and TTLs aside: equal where they do, in whatever order. */
export const dataOfAll = (records: ReadonlyArray<ResourceRecord>): string => records.map(dataOf).toSorted().join("\n")

export const dataOf = ({ priority, type, value }: RecordData & { readonly type: string }): string =>
  `${type} ${priority ?? ""} ${value}`

/** `owner type`, by which a question is told from others. */
export const keyOf = (owner: string | undefined, type: TypeName): string => `${owner} ${type}`

const nothing: Finding = { own: [], elsewhere: [] }

/**
 * Of a chain of aliases only the first link is at the name; a DNAME brings aliases that nobody wrote (RFC 6672). Below a
 * cut nothing is at the name but glue.
 */
const findIn =
  ({ asked: { name, owner }, type }: Said) =>
  (answer: ServerAnswer): Finding =>
    ServerAnswer.$match(answer, {
      Referral: ({ glue, nameServers }) => ({
        own: Array.sort(glue, byData).filter((record) => record.name === owner && record.type === type),
        elsewhere: Array.sort(nameServers, byData)
      }),
      Authoritative: ({ message }) => {
        const answers = Array.sort(message.answers, byData)
        const redirects = answers.filter((_) => _.type === "DNAME" && _.name !== name && isWithin(name, _.name))
        const own = answers.filter((_) => _.name === name && (_.type === type || _.type === "CNAME"))
        return redirects.length > 0
          ? { own: [], elsewhere: redirects }
          : { own: own.map((record) => ({ ...record, name: owner })), elsewhere: [] }
      }
    })

const byData = Order.mapInput(Order.string, dataOf)
