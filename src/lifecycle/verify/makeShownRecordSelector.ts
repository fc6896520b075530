import { Array, Order } from "effect"
import { maxSeenRecords, type ObservedRecord } from "../../domain/plan/RecordObservation.ts"

/**
 * Selects the records that an observation shows: the desired one first, then enough to find a mistake among hundreds.
 * Servers choose lengths: all observations of a connection share a megabyte; longer values are cut.
 */
export const makeShownRecordSelector = (
  observations: number
): ((observed: ReadonlyArray<ObservedRecord>, desired: string) => ReadonlyArray<ObservedRecord>) => {
  const share = Math.min(maxShare, Math.max(minShare, Math.floor(maxInAll / Math.max(observations, 1))))
  return (observed, desired) => {
    const sorted = Array.sortWith(observed, ({ value }) => value !== desired, Order.boolean)
    const shown: Array<ObservedRecord> = []
    let left = share
    for (const { priority, ttl, type, value } of sorted.slice(0, maxSeenRecords)) {
      const cut = cutValue(value, Math.min(maxValueLength, share))
      left -= cut.length
      if (left < 0 && shown.length > 0) break
      shown.push({ type, value: cut, ttl, ...(priority === undefined ? {} : { priority }) })
    }
    return shown
  }
}

const maxInAll = 1024 * 1024
const maxShare = 16 * 1024
const minShare = 128
const maxValueLength = 1_024

/** Half of a surrogate pair is no text that a database stores. */
const cutValue = (value: string, maxLength: number): string =>
  value.length <= maxLength ? value : `${value.slice(0, maxLength - 1).toWellFormed()}…`
