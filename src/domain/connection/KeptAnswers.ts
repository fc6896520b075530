import type { RecordTypeName } from "../records/dnsTypes.ts"

/** What the servers of a zone answered when all of them were asked last, as far as it is asked again at single ones. */
export interface KeptAnswers {
  readonly zone: string
  /** One address of each server that answered. */
  readonly servers: ReadonlyArray<string>
  /** One address of each server that did not answer at all. */
  readonly silentServers: ReadonlyArray<string>
  /** When the delegation to these servers expires, in milliseconds since 1970. */
  readonly serversUntil: number
  readonly answers: ReadonlyArray<KeptAnswer>
}

/** The answer to one question, the same from each server: `digest` is that of the RRset. */
export interface KeptAnswer {
  readonly name: string
  readonly type: RecordTypeName
  readonly digest: string
}
