import { describe, expect } from "bun:test"
import { Effect, Either, Option } from "effect"
import { ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import type { RecordSet } from "../../../src/providers/writing/RecordSet.ts"
import type { SetChange } from "../../../src/providers/writing/planSetCalls.ts"
import {
  makeRecordSetZoneClient,
  type RecordSetAdapter
} from "../../../src/providers/writing/makeRecordSetZoneClient.ts"
import { effect } from "../../support/effectTest.ts"
import { creation, deletion, limits, location, record, firstWriteOf, update, writesOf } from "./scriptedChanges.ts"

const setOf = (name: string, type: string, ...contents: ReadonlyArray<string>): RecordSet => ({
  name: `${name}shop.example.`,
  type,
  ttl: 60,
  records: contents.map((content) => ({ content }))
})

/** A provider of sets in memory; `calls` are the sets that each call wrote, deletions marked. */
const makeProvider = (sets: ReadonlyArray<RecordSet>, rules: Partial<RecordSetAdapter<RecordSet>> = {}) => {
  const provider = { sets, reads: 0, calls: [] as Array<ReadonlyArray<string>> }
  const client = makeRecordSetZoneClient<RecordSet>(
    {
      limits,
      readSets: () => Effect.sync(() => ((provider.reads += 1), provider.sets)),
      writeSets: (setChanges) => Effect.sync(() => void provider.calls.push(setChanges.map(describeChange))),
      ...rules
    },
    location
  )
  return { provider, client }
}

const describeChange = ({ after, name, type }: SetChange): string =>
  `${name} ${type} ${after?.ttl ?? "deleted"} ${(after?.records ?? []).map(({ content }) => content).join(" | ")}`.trim()

describe("a provider that takes one set in a call", () => {
  effect("gets one call for each set, with the siblings as they were, in the order of the plan", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([
        setOf("", "TXT", '"one" "two"', '"goes"'),
        setOf("old.", "CNAME", "web.hostprov.net.")
      ])
      const writes = writesOf(yield* client.read, [
        creation("@ 300 TXT new"),
        deletion("@ 60 TXT goes"),
        deletion("old 60 CNAME web.hostprov.net"),
        creation("www 300 A 192.0.2.1"),
        creation("www 600 A 192.0.2.2")
      ])
      for (const { send } of writes) yield* send
      expect(provider.calls).toEqual([
        ['shop.example. TXT 300 "one" "two" | "new"'],
        ["old.shop.example. CNAME deleted"],
        ["www.shop.example A 300 192.0.2.1 | 192.0.2.2"]
      ])
      expect(writes.map(({ changes }) => changes.length)).toEqual([2, 1, 2])
    })
  )

  effect("gets the calls of a plan host by host, so that no host lacks records for longer than one call", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([
        setOf("blog.", "A", "192.0.2.1"),
        setOf("www.", "A", "192.0.2.1"),
        setOf("www.", "AAAA", "2001:db8::1"),
        setOf("old.", "A", "192.0.2.1")
      ])
      const writes = writesOf(yield* client.read, [
        creation("a 300 A 192.0.2.1"),
        deletion("blog 60 A 192.0.2.1"),
        creation("blog 60 CNAME web.hostprov.net"),
        deletion("www 60 A 192.0.2.1"),
        deletion("www 60 AAAA 2001:db8::1"),
        creation("www 60 CNAME web.hostprov.net"),
        deletion("old 60 A 192.0.2.1")
      ])
      for (const { send } of writes) yield* send
      expect(provider.calls.flat()).toEqual([
        "a.shop.example A 300 192.0.2.1",
        "blog.shop.example. A deleted",
        "blog.shop.example CNAME 60 web.hostprov.net.",
        "www.shop.example. A deleted",
        "www.shop.example. AAAA deleted",
        "www.shop.example CNAME 60 web.hostprov.net.",
        "old.shop.example. A deleted"
      ])
    })
  )

  effect("gets an update to another type as a deletion and a creation", () =>
    Effect.sync(() => {
      const { client } = makeProvider([])
      const [address, alias] = [record("www 60 A 192.0.2.1"), record("www 60 CNAME web.hostprov.net")]
      expect(client.canUpdate?.(address, alias)).toBe(false)
      expect(client.canUpdate?.(address, record("www 60 A 192.0.2.2"))).toBe(true)
    })
  )

  effect("is read again before the first write only", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([])
      const writes = writesOf(yield* client.read, [creation("a 300 A 192.0.2.1"), creation("b 300 A 192.0.2.1")])
      for (const { send } of writes) yield* send
      expect(provider.reads).toBe(2)
    })
  )
})

describe("a provider that takes several sets in a call", () => {
  effect("gets the sets of a name together, in as few calls as it takes", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([setOf("www.", "A", "192.0.2.1")], {
        fitsOneCall: (setChanges) => setChanges.length <= 3
      })
      const writes = writesOf(yield* client.read, [
        creation("a 300 A 192.0.2.1"),
        update("www 60 A 192.0.2.1", "www 60 CNAME web.hostprov.net"),
        creation("b 300 A 192.0.2.1")
      ])
      for (const { send } of writes) yield* send
      expect(provider.calls).toEqual([
        [
          "www.shop.example. A deleted",
          "a.shop.example A 300 192.0.2.1",
          "www.shop.example CNAME 60 web.hostprov.net."
        ],
        ["b.shop.example A 300 192.0.2.1"]
      ])
    })
  )

  effect("gets nothing if the sets of one name are too many for a call", () =>
    Effect.gen(function* () {
      const { client } = makeProvider([], { fitsOneCall: (setChanges) => setChanges.length <= 1 })
      const planned = (yield* client.read).planWrites([creation("a 300 A 192.0.2.1"), creation("a 300 TXT text")])
      expect(Either.flip(planned)).toMatchObject({ right: { code: "apply_rejected" } })
    })
  )
})

describe("nothing is written", () => {
  for (const [about, changes, failure] of [
    ["a set that the provider keeps", [creation("kept 300 TXT more")], { code: "provider_record_locked" }],
    ["an alias beside other records", [creation("www 300 CNAME web.hostprov.net")], { code: "apply_rejected" }],
    ["a record that is there already", [creation("www 300 A 192.0.2.1")], { code: "apply_rejected" }],
    ["a record that the provider cannot store", [creation("a 300 TXT refused")], { code: "record_value_rejected" }],
    ["a record that is not there", [deletion("www 300 A 192.0.2.9")], { _tag: "ZoneChanged" }]
  ] as const)
    effect(`of a plan with ${about}`, () =>
      Effect.gen(function* () {
        const { client } = makeProvider(
          [{ ...setOf("kept.", "TXT", '"text"'), locked: "fixed" }, setOf("www.", "A", "192.0.2.1")],
          {
            checkRecord: ({ value }) => (value === "refused" ? Option.some(valueRejected) : Option.none())
          }
        )
        const planned = (yield* client.read).planWrites([creation("first 300 A 192.0.2.1"), ...changes])
        expect(Either.flip(planned)).toMatchObject({ right: failure })
      })
    )

  effect("of a plan with an alias at an apex where the provider flattens none", () =>
    Effect.gen(function* () {
      const { client } = makeProvider([], {
        limits: { ...limits, capabilities: { ...limits.capabilities, cnameFlattening: "unsupported" } }
      })
      const planned = (yield* client.read).planWrites([creation("@ 300 CNAME web.hostprov.net")])
      expect(Either.flip(planned)).toMatchObject({ right: { code: "apex_cname_unsupported" } })
    })
  )

  effect("if somebody changed the names meanwhile", () =>
    Effect.gen(function* () {
      const { client, provider } = makeProvider([setOf("www.", "A", "192.0.2.1")])
      const write = firstWriteOf(yield* client.read, [creation("www 300 A 192.0.2.2")])
      provider.sets = [setOf("www.", "A", "192.0.2.1", "192.0.2.3")]
      expect(yield* Effect.flip(write.send)).toMatchObject({ _tag: "ZoneChanged" })
      expect(provider.calls).toEqual([])
    })
  )
})

const valueRejected = new ProviderFailure({ code: "record_value_rejected", detail: "refused" })
