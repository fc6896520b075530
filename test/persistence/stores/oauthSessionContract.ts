import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import type { ConnectionId, ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { SealedSecret, StoredSecret } from "../../../src/domain/access/SealedSecret.ts"
import { SessionChange } from "../../../src/domain/connection/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { OAuthSessionStore } from "../../../src/persistence/stores/access/OAuthSessionStore.ts"
import { hex } from "../../support/memory/Tables.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, ownTenancy, transitionInto } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `OAuthSessionStore`. */
export const oauthSessionContract = (test: StoreTest): void => {
  test("a session is found by its ticket, and by its connection for its owner only, until it expires", () =>
    Effect.gen(function* () {
      const { findByTicket, find } = yield* OAuthSessionStore
      const { advanceTime } = yield* StoreFixture
      const owner = yield* opened("ticket")
      const stored = Option.some({ owner, sealed: inBrief(sealed("ticket")) })
      expect(yield* shown(findByTicket(bytes("ticket")))).toEqual(stored)
      expect(yield* shown(find(owner))).toEqual(stored)
      expect(yield* findByTicket(bytes("other"))).toEqual(Option.none())
      for (const tenancy of foreignTenancies) expect(yield* find({ ...owner, ...tenancy })).toEqual(Option.none())
      yield* advanceTime("15 minutes")
      expect([yield* findByTicket(bytes("ticket")), yield* find(owner)]).toEqual([Option.none(), Option.none()])
    }))

  test("a session is consumed once, by state and browser together, even by concurrent requests", () =>
    Effect.gen(function* () {
      const { setCallback, consume } = yield* OAuthSessionStore
      const owner = yield* opened("ticket")
      expect(yield* consume(back("state", "browser"))).toEqual(Option.none())
      expect(yield* setCallback(bytes("ticket"), back("state", "browser"), sealed("begun"))).toBe(true)
      expect(yield* consume(back("state", "other"))).toEqual(Option.none())
      expect(yield* consume(back("other", "browser"))).toEqual(Option.none())
      const taken = yield* Effect.forEach(Array.range(1, 20), () => shown(consume(back("state", "browser"))), {
        concurrency: "unbounded"
      })
      expect(Array.getSomes(taken)).toEqual([{ owner, sealed: inBrief(sealed("begun")) }])
    }))

  test("a session that is started again has a new callback, and the old one is invalid", () =>
    Effect.gen(function* () {
      const { setCallback, consume, findByState } = yield* OAuthSessionStore
      const owner = yield* opened("ticket")
      yield* setCallback(bytes("ticket"), back("state", "browser"), sealed("one"))
      yield* setCallback(bytes("ticket"), back("again", "another"), sealed("two"))
      expect(yield* findByState(bytes("state"))).toEqual(Option.none())
      expect(yield* shown(findByState(bytes("again")))).toEqual(Option.some({ owner, sealed: inBrief(sealed("two")) }))
      expect(yield* consume(back("state", "browser"))).toEqual(Option.none())
      expect(Option.isSome(yield* consume(back("again", "another")))).toBe(true)
      expect(yield* setCallback(bytes("ticket"), back("late", "late"), sealed("late"))).toBe(false)
    }))

  test("an expired session can neither be started nor consumed", () =>
    Effect.gen(function* () {
      const { setCallback, consume } = yield* OAuthSessionStore
      const { advanceTime } = yield* StoreFixture
      yield* opened("ticket")
      yield* setCallback(bytes("ticket"), back("state", "browser"), sealed("begun"))
      yield* advanceTime("15 minutes")
      expect(yield* consume(back("state", "browser"))).toEqual(Option.none())
      expect(yield* setCallback(bytes("ticket"), back("again", "again"), sealed("again"))).toBe(false)
    }))

  test("a connection has one session, until a transition ends it", () =>
    Effect.gen(function* () {
      const { setCallback, findByTicket, consume } = yield* OAuthSessionStore
      const { connectionId } = yield* opened("one")
      yield* setCallback(bytes("one"), back("state", "browser"), sealed("begun"))
      yield* write(connectionId, "authorizing", SessionChange.Replace({ session: visit("two") }))
      expect(yield* findByTicket(bytes("one"))).toEqual(Option.none())
      expect(yield* consume(back("state", "browser"))).toEqual(Option.none())
      yield* write(connectionId, "authorizing", SessionChange.Keep())
      expect(Option.isSome(yield* findByTicket(bytes("two")))).toBe(true)
      yield* write(connectionId, "awaiting_authorization", SessionChange.Delete())
      expect(yield* findByTicket(bytes("two"))).toEqual(Option.none())
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

/** Comparable whether the bytes are a `Buffer` or a `Uint8Array`. */
const inBrief = ({ ciphertext, keyVersion, nonce }: SealedSecret) => ({
  keyVersion,
  nonce: hex(nonce),
  ciphertext: hex(ciphertext)
})

const shown = <E, R>(found: Effect.Effect<Option.Option<StoredSecret>, E, R>) =>
  Effect.map(
    found,
    Option.map(({ owner, sealed: secret }) => ({ owner, sealed: inBrief(secret) }))
  )
