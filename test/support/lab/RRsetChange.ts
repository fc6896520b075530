import type { LabRecord } from "./packet.ts"

/** A record set that is replaced as a whole or deleted; names and targets end with a dot. */
export type RRsetChange = {
  readonly name: string
  readonly type: string
} & (
  | {
      readonly changetype: "REPLACE"
      readonly ttl: number
      readonly records: ReadonlyArray<{ readonly content: string }>
    }
  | { readonly changetype: "DELETE" }
)

/** Builds the changes that replace RRsets by these records; each set gets the lowest TTL of its records. */
export const rrsetReplacements = (records: ReadonlyArray<LabRecord>): ReadonlyArray<RRsetChange> =>
  [...Map.groupBy(records, ({ name, type }) => `${name} ${type}`).values()].flatMap((set) =>
    set.slice(0, 1).map(({ name, type }) => ({
      name,
      type,
      changetype: "REPLACE" as const,
      ttl: Math.min(...set.map(({ ttl }) => ttl)),
      records: set.map(({ data }) => ({ content: data }))
    }))
  )
