import { Array, Either, Order } from "effect"
import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { NoAnswer } from "../transport/Query.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import type { RecordData } from "../wire/decodeRecordData.ts"
import type { RecordTypeName } from "../wire/recordTypes.ts"
import { ServerAnswer } from "./NameServer.ts"
import type { RRsetResponse } from "./QuestionSet.ts"

/** Records of the name that was asked for, and those of a name above it by which everything below is elsewhere. */
export interface ResponseRecords {
  readonly own: ReadonlyArray<ResourceRecord>
  readonly redirects: ReadonlyArray<ResourceRecord>
}

/** What a server said of a type at an owner; nothing where it was not asked, or there is no such owner. */
export type ResponseIndex = (
  owner: string | undefined,
  type: RecordTypeName
) => Either.Either<ResponseRecords, NoAnswer>

/**
 * What one server said, to be looked up. An alias stands alone (RFC 1034 section 3.6.2): it answers also for the types
 * to which a server that cannot follow it says nothing.
 */
export const indexResponses = (said: ReadonlyArray<RRsetResponse>): ResponseIndex => {
  const found = new Map(
    said.map((one) => [rrsetKey(one.questionSet.owner, one.type), Either.map(one.answer, findIn(one))])
  )
  const at: ResponseIndex = (owner, type) => found.get(rrsetKey(owner, type)) ?? Either.right(nothing)
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
export const rrsetDataKey = (records: ReadonlyArray<ResourceRecord>): string =>
  records.map(recordDataKey).toSorted().join("\n")

export const recordDataKey = ({ priority, type, value }: RecordData & { readonly type: string }): string =>
  `${type} ${priority ?? ""} ${value}`

/** `owner type`, by which a question is told from others. */
export const rrsetKey = (owner: string | undefined, type: RecordTypeName): string => `${owner} ${type}`

const nothing: ResponseRecords = { own: [], redirects: [] }

/**
 * Of a chain of aliases only the first link is at the name; a DNAME brings aliases that nobody wrote (RFC 6672). Below a
 * cut nothing is at the name but glue.
 */
const findIn =
  ({ questionSet: { name, owner }, type }: RRsetResponse) =>
  (answer: ServerAnswer): ResponseRecords =>
    ServerAnswer.$match(answer, {
      Referral: ({ glue, nameServers }) => ({
        own: Array.sort(glue, byData).filter((record) => record.name === owner && record.type === type),
        redirects: Array.sort(nameServers, byData)
      }),
      Authoritative: ({ message }) => {
        const answers = Array.sort(message.answers, byData)
        const redirects = answers.filter((_) => _.type === "DNAME" && _.name !== name && isAtOrBelow(name, _.name))
        const own = answers.filter((_) => _.name === name && (_.type === type || _.type === "CNAME"))
        return redirects.length > 0
          ? { own: [], redirects: redirects }
          : { own: own.map((record) => ({ ...record, name: owner })), redirects: [] }
      }
    })

const byData = Order.mapInput(Order.string, recordDataKey)
