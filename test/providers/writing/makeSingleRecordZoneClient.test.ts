import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { ProviderError } from "../../../src/providers/ProviderError.ts"
import {
  makeSingleRecordZoneClient,
  type RecordStep,
  type SingleRecordAdapter
} from "../../../src/providers/writing/makeSingleRecordZoneClient.ts"
import { effect } from "../../support/effectTest.ts"
import { creation, deletion, limits, location, update, writesOf, firstWriteOf } from "./scriptedChanges.ts"

interface StoredRecord extends Omit<ZoneRecord, "host"> {
  readonly id: number
  readonly name: string
}

const stored = (id: number, name: string, type: string, value: string): StoredRecord => ({
  id,
  name,
  type,
  value,
  ttl: 60
})

/** A provider of records in memory; `calls` are the steps of each call. */
const makeProvider = (records: ReadonlyArray<StoredRecord>, rules: Partial<SingleRecordAdapter<StoredRecord>> = {}) => {
  const provider = { records, reads: 0, calls: [] as Array<ReadonlyArray<string>> }
  const client = makeSingleRecordZoneClient<StoredRecord>(
    {
      limits,
      listRecords: () => Effect.sync(() => ((provider.reads += 1), provider.records)),
      toRecord: (served) => served,
      write: (steps) => Effect.sync(() => void provider.calls.push(steps.map(describeStep))),
      ...rules
    },
    location
  )
  return { provider, client }
}

const describeStep = (step: RecordStep<StoredRecord>): string =>
  step.action === "remove"
    ? `remove ${step.stored.id}`
    : `${step.action} ${step.action === "replace" ? `${step.stored.id} by ` : ""}${step.record.name} ${step.record.type} ${step.record.value}`

const www = [stored(1, "WWW.shop.example.", "A", "192.0.2.1"), stored(2, "www.shop.example", "A", "192.0.2.1")]

describe("a provider that takes one record in a call", () => {
  effect("gets the changes in their order; the first duplicate is replaced, the others go", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([...www, stored(3, "shop.example", "TXT", "goes")])
      const writes = writesOf(yield* client.read, [
        deletion("@ 60 TXT goes"),
        update("www 60 A 192.0.2.1", "www 60 A 192.0.2.2"),
        creation("a.b 300 TXT new")
      ])
      for (const { send } of writes) yield* send
      expect(provider.calls).toEqual([
        ["remove 3"],
        ["replace 1 by www.shop.example A 192.0.2.2"],
        ["remove 2"],
        ["create a.b.shop.example TXT new"]
      ])
      expect(writes.map(({ changes }) => changes.length)).toEqual([1, 1, 1])
      expect(provider.reads).toBe(2)
    })
  )

  effect("leaves the outcome unknown if it refuses the second call of a change", () =>
    Effect.gen(function* () {
      const { client } = makeProvider(www, {
        write: ([step]) =>
          step.action === "remove" ? new ProviderError({ kind: "rejected", detail: "no" }) : Effect.void
      })
      const write = firstWriteOf(yield* client.read, [update("www 60 A 192.0.2.1", "www 60 A 192.0.2.2")])
      expect(yield* Effect.flip(write.send)).toMatchObject({ _tag: "OutcomeUnknown" })
    })
  )

  effect("writes nothing if a record at the names was replaced by an equal one meanwhile", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider(www)
      const write = firstWriteOf(yield* client.read, [deletion("www 60 A 192.0.2.1")])
      provider.records = [...www.slice(1), stored(9, "www.shop.example", "A", "192.0.2.1")]
      expect(yield* Effect.flip(write.send)).toMatchObject({ _tag: "ZoneChanged" })
      expect(provider.calls).toEqual([])
    })
  )
})

describe("a provider that takes several records in a call", () => {
  effect("gets as many changes in each call as it takes", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider(www, { fitsOneCall: (steps) => steps.length <= 3 })
      const writes = writesOf(yield* client.read, [
        deletion("www 60 A 192.0.2.1"),
        creation("a 300 A 192.0.2.1"),
        creation("b 300 A 192.0.2.1")
      ])
      for (const { send } of writes) yield* send
      expect(provider.calls).toEqual([
        ["remove 1", "remove 2", "create a.shop.example A 192.0.2.1"],
        ["create b.shop.example A 192.0.2.1"]
      ])
      expect(writes.map(({ changes }) => changes.length)).toEqual([2, 1])
    })
  )
})
