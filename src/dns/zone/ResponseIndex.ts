import { Array, Either, Order } from "effect"
import { isAtOrBelow } from "../../domain/names/DomainName.ts"
import type { RecordTypeName } from "../../domain/records/dnsTypes.ts"
import type { RecordData } from "../../domain/records/RecordFormat.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import type { NoAnswer } from "../transport/Query.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import { ServerAnswer } from "./NameServer.ts"
import type { RRsetResponse } from "./QuestionSet.ts"
import { visitAnswers } from "./visitAnswers.ts"

/** The records of an owner name, and the NS or DNAME records of a name above it that send it elsewhere. */
export interface ResponseRecords {
  readonly own: ReadonlyArray<ResourceRecord>
  readonly redirects: ReadonlyArray<ResourceRecord>
}

/** Finds the answer of a server for a type at an owner; no records if it was not queried, or `owner` is undefined. */
export type ResponseIndex = (
  owner: string | undefined,
  type: RecordTypeName
) => Either.Either<ResponseRecords, NoAnswer>

/** Indexes the responses of one server. A CNAME stands alone (RFC 1034 section 3.6.2): it answers for all types. */
export function* indexResponses(responses: ReadonlyArray<RRsetResponse>): LongComputation<ResponseIndex> {
  const byKey = new Map<string, ReturnType<ResponseIndex>>()
  yield* visitAnswers(responses, (response) => {
    byKey.set(rrsetKeyOf(response.questionSet.owner, response.type), Either.map(response.answer, recordsFor(response)))
  })
  const find: ResponseIndex = (owner, type) => byKey.get(rrsetKeyOf(owner, type)) ?? Either.right(noRecords)
  return (owner, type) =>
    Either.orElse(find(owner, type), (unknown) =>
      Either.filterOrLeft(
        find(owner, "CNAME"),
        ({ own }) => own.length > 0,
        () => unknown
      )
    )
}

/** The data of records without owners and TTLs; two sets with the same data have the same key, whatever their order. */
export const rrsetDataKeyOf = (records: ReadonlyArray<ResourceRecord>): string =>
  records.map(recordDataKeyOf).toSorted().join("\n")

/** The data of one record without owner and TTL. */
export const recordDataKeyOf = ({ priority, type, value }: RecordData & { readonly type: string }): string =>
  `${type} ${priority ?? ""} ${value}`

/** Identifies a question: `owner type`. */
export const rrsetKeyOf = (owner: string | undefined, type: RecordTypeName): string => `${owner} ${type}`

const noRecords: ResponseRecords = { own: [], redirects: [] }

/** Only the first alias of a chain is at the name; a DNAME adds CNAMEs (RFC 6672). Below a zone cut is only glue. */
const recordsFor =
  ({ questionSet: { owner, queryName }, type }: RRsetResponse) =>
  (answer: ServerAnswer): ResponseRecords =>
    ServerAnswer.$match(answer, {
      Referral: ({ glue, nameServers }) => ({
        own: sortByData(glue.filter((record) => record.name === owner && record.type === type)),
        redirects: sortByData(nameServers)
      }),
      Authoritative: ({ message }) => {
        const redirects = sortByData(
          message.answers.filter(
            (record) => record.type === "DNAME" && record.name !== queryName && isAtOrBelow(queryName, record.name)
          )
        )
        const own = sortByData(
          message.answers.filter(
            (record) => record.name === queryName && (record.type === type || record.type === "CNAME")
          )
        )
        return redirects.length > 0
          ? { own: [], redirects }
          : { own: own.map((record) => ({ ...record, name: owner })), redirects: [] }
      }
    })

/** Sorts by the keys of the records, each of which is made once. */
const sortByData = (records: ReadonlyArray<ResourceRecord>): ReadonlyArray<ResourceRecord> =>
  records.length < 2
    ? records
    : Array.sort(
        records.map((record) => ({ key: recordDataKeyOf(record), record })),
        byKey
      ).map(({ record }) => record)

const byKey = Order.mapInput(Order.string, ({ key }: { readonly key: string }) => key)
