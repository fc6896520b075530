import { expect } from "bun:test"
import { Effect, Option, type Scope } from "effect"
import type { ChangeRecord } from "../../../src/domain/Plan.ts"
import type { LoggedCall } from "../../support/vendors/VendorCall.ts"
import {
  type AdapterUnderTest,
  openZone,
  type VendorRefusal,
  sendWrites,
  type VendorLimitations
} from "./AdapterUnderTest.ts"
import { adapterContract, type DeclareTest } from "./adapterContract.ts"

/** An adapter on the fake of its vendor. */
export interface VendorAdapterUnderTest extends AdapterUnderTest {
  readonly limitations: DeclaredLimitations
  /** All calls that the fake has received, oldest first. */
  readonly calls: () => ReadonlyArray<LoggedCall>
}

/** What a vendor cannot do, with examples of what its adapter refuses. */
export interface DeclaredLimitations extends VendorLimitations {
  readonly refused: ReadonlyArray<DeclaredRefusal>
}

interface DeclaredRefusal extends VendorRefusal {
  readonly code: "apex_cname_unsupported" | "record_type_unsupported" | "record_value_rejected"
  /** At least one; their hosts are relative to the zone. */
  readonly examples: ReadonlyArray<Pick<ChangeRecord, "host" | "type" | "value" | "priority">>
}

/** "This domain accepts no mail" (RFC 7505), where the vendor wants the name of a mail server. */
export const refusedNullMx: DeclaredRefusal = {
  about: "a null MX",
  source: "cannot_store: null MX",
  matches: ({ type, value }) => type === "MX" && value === ".",
  code: "record_value_rejected",
  examples: [{ host: "nomail", type: "MX", priority: 0, value: "." }]
}

export const refusedEmptyText: DeclaredRefusal = {
  about: "a text without a character",
  source: "cannot_store: empty TXT",
  matches: ({ type, value }) => type === "TXT" && value === "",
  code: "record_value_rejected",
  examples: [{ host: "empty", type: "TXT", value: "" }]
}

/** The contract of an adapter on the fake of its vendor: that of every adapter, and what the vendor cannot store. */
export const vendorContract = <R>(
  live: DeclareTest<R>,
  subject: Effect.Effect<VendorAdapterUnderTest, never, R | Scope.Scope>
): void => {
  adapterContract(live, subject)

  live("refuses each record that the vendor cannot store, before any call that writes", () =>
    Effect.gen(function* () {
      const { refused } = (yield* subject).limitations
      expect(refused.filter(({ examples }) => examples.length === 0)).toEqual([])
      expect(refused).not.toEqual([])
      for (const refusal of refused)
        for (const example of refusal.examples) yield* expectRefused(yield* subject, refusal, example)
    })
  )
}

/** Offers the example behind a record that the vendor stores, so that a late refusal would leave that one. */
const expectRefused = (
  adapter: VendorAdapterUnderTest,
  { about, code, matches }: DeclaredRefusal,
  example: DeclaredRefusal["examples"][number]
) =>
  Effect.gen(function* () {
    const record = { ttl: 3600, optional: false, ...example }
    expect([about, example, matches(record)]).toEqual([about, example, true])
    const opened = yield* openZone(adapter, {})
    expect([about, Option.map(opened.checkRecord(record), (failure) => failure.code)]).toEqual([
      about,
      Option.some(code)
    ])
    const snapshot = yield* opened.read
    const before = yield* adapter.dump
    const storable = { host: "storable", type: "A", value: "192.0.2.1", ttl: 3600, optional: false }
    const changes = [storable, record].map((after) => ({ action: "create" as const, after, destructive: false }))
    const failure = yield* Effect.flip(sendWrites(snapshot, changes, opened))
    expect([about, failure]).toMatchObject([about, { _tag: "ProviderFailure", code }])
    expect(adapter.calls().filter(({ method }) => method !== "GET")).toEqual([])
    expect(yield* adapter.dump).toEqual(before)
  })
