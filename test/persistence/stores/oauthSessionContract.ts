import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import type { ConnectionId, ConnectionState } from "../../../src/domain/Connection.ts"
import type { SealedSecret, StoredSecret } from "../../../src/domain/SealedSecret.ts"
import { SessionChange } from "../../../src/domain/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { OAuthSessionStore } from "../../../src/persistence/stores/OAuthSessionStore.ts"
import { hex } from "../../support/memory/Tables.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, ownTenancy, transitionInto } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `OAuthSessionStore` promises. */
export const oauthSessionContract = (test: StoreTest): void => {
  test("a visit is found by its ticket, and by its connection for its owner only, until it expires", () =>
    Effect.gen(function* () {
      const { findByTicket: byTicket, find } = yield* OAuthSessionStore
      const { advanceTime: pass } = yield* StoreFixture
      const owner = yield* opened("ticket")
      const stored = Option.some({ owner, sealed: inBrief(sealed("ticket")) })
      expect(yield* shown(byTicket(bytes("ticket")))).toEqual(stored)
      expect(yield* shown(find(owner))).toEqual(stored)
      expect(yield* byTicket(bytes("other"))).toEqual(Option.none())
      for (const tenancy of foreignTenancies) expect(yield* find({ ...owner, ...tenancy })).toEqual(Option.none())
      yield* pass("15 minutes")
      expect([yield* byTicket(bytes("ticket")), yield* find(owner)]).toEqual([Option.none(), Option.none()])
    }))

  test("a visit ends once, for the state and the browser together, however many ask at once", () =>
    Effect.gen(function* () {
      const { setCallback: begin, consume: take } = yield* OAuthSessionStore
      const owner = yield* opened("ticket")
      expect(yield* take(back("state", "browser"))).toEqual(Option.none())
      expect(yield* begin(bytes("ticket"), back("state", "browser"), sealed("begun"))).toBe(true)
      expect(yield* take(back("state", "other"))).toEqual(Option.none())
      expect(yield* take(back("other", "browser"))).toEqual(Option.none())
      const taken = yield* Effect.forEach(Array.range(1, 20), () => shown(take(back("state", "browser"))), {
        concurrency: "unbounded"
      })
      expect(Array.getSomes(taken)).toEqual([{ owner, sealed: inBrief(sealed("begun")) }])
    }))

  test("a visit that is begun again has a new way back, and the old one is none any more", () =>
    Effect.gen(function* () {
      const { setCallback: begin, consume: take } = yield* OAuthSessionStore
      yield* opened("ticket")
      yield* begin(bytes("ticket"), back("state", "browser"), sealed("one"))
      yield* begin(bytes("ticket"), back("again", "another"), sealed("two"))
      expect(yield* take(back("state", "browser"))).toEqual(Option.none())
      expect(Option.isSome(yield* take(back("again", "another")))).toBe(true)
      expect(yield* begin(bytes("ticket"), back("late", "late"), sealed("late"))).toBe(false)
    }))

  test("what is expired neither begins nor ends", () =>
    Effect.gen(function* () {
      const { setCallback: begin, consume: take } = yield* OAuthSessionStore
      const { advanceTime: pass } = yield* StoreFixture
      yield* opened("ticket")
      yield* begin(bytes("ticket"), back("state", "browser"), sealed("begun"))
      yield* pass("15 minutes")
      expect(yield* take(back("state", "browser"))).toEqual(Option.none())
      expect(yield* begin(bytes("ticket"), back("again", "again"), sealed("again"))).toBe(false)
    }))

  test("a connection has one visit, and none once a step ends it", () =>
    Effect.gen(function* () {
      const { setCallback: begin, findByTicket: byTicket, consume: take } = yield* OAuthSessionStore
      const { connectionId } = yield* opened("one")
      yield* begin(bytes("one"), back("state", "browser"), sealed("begun"))
      yield* write(connectionId, "authorizing", SessionChange.Replace({ session: visit("two") }))
      expect(yield* byTicket(bytes("one"))).toEqual(Option.none())
      expect(yield* take(back("state", "browser"))).toEqual(Option.none())
      yield* write(connectionId, "authorizing", SessionChange.Keep())
      expect(Option.isSome(yield* byTicket(bytes("two")))).toBe(true)
      yield* write(connectionId, "awaiting_authorization", SessionChange.Delete())
      expect(yield* byTicket(bytes("two"))).toEqual(Option.none())
    }))
}

const opened = (ticket: string) =>
  Effect.gen(function* () {
    const { id } = yield* createConnection()
    yield* write(id, "authorizing", SessionChange.Replace({ session: visit(ticket) }))
    return { ...ownTenancy, connectionId: id }
  })

const write = (id: ConnectionId, state: ConnectionState, session: SessionChange) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const read = yield* store.findRecord(ownTenancy, id)
    const commit = yield* store.update(ownTenancy, read, yield* transitionInto(read, state, { session }), Option.none())
    expect(commit._tag).toBe("Done")
  })

const bytes = (text: string): Uint8Array => Buffer.from(`hash of ${text}`)

const sealed = (text: string): SealedSecret => ({
  keyVersion: 1,
  nonce: bytes(`nonce ${text}`),
  ciphertext: bytes(text)
})

const visit = (ticket: string) => ({ ticketHash: bytes(ticket), sealed: sealed(ticket), lifetimeSeconds: 900 })

const back = (state: string, browser: string) => ({ stateHash: bytes(state), browserHash: bytes(browser) })

/** Whatever kind of byte array it is. */
const inBrief = ({ ciphertext, keyVersion, nonce }: SealedSecret) => ({
  keyVersion,
  nonce: hex(nonce),
  ciphertext: hex(ciphertext)
})

const shown = <E, R>(found: Effect.Effect<Option.Option<StoredSecret>, E, R>) =>
  Effect.map(
    found,
    Option.map(({ owner, sealed: kept }) => ({ owner, sealed: inBrief(kept) }))
  )
