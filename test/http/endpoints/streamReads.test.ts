import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { readServerSentEvents } from "../../support/readServerSentEvents.ts"
import { get, issueKey, send } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"

/** How often a document was read: with its key or token, as each request does, or alone. */
const reads = { withCredential: 0, alone: 0 }

const countRead = (kind: keyof typeof reads) => Effect.sync(() => (reads[kind] += 1))

const countingStores = Layer.mergeAll(
  overrideService(ConnectionStore, ({ find }) => ({ find: (...of) => Effect.tap(find(...of), countRead("alone")) })),
  overrideService(BrowserTokenStore, ({ find }) => ({
    find: (hash) => Effect.tap(find(hash), countRead("withCredential"))
  })),
  overrideService(ApiKeyStore, ({ find }) => ({
    find: (hash, id) => Effect.tap(find(hash, id), Option.isSome(id) ? countRead("withCredential") : Effect.void)
  }))
)

withLayer("the streams of connections that do not change", apiWith(countingStores), (live) => {
  live("read no document again, neither those of servers nor those of browsers", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { key: otherKey } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const browser = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      const streams = yield* Effect.all([
        get(`${path}/stream`, key),
        get(`${path}/stream`, otherKey),
        send(`${path}/stream`, { headers: browser })
      ])
      const events = yield* Effect.forEach(streams, readServerSentEvents)
      yield* Effect.forEach(events, (next) => Effect.replicateEffect(next, 3))
      const before = { ...reads }
      expect(before.withCredential).toBe(3)
      for (let nth = 0; nth < 5; nth += 1) {
        const { notifyChanged } = yield* ConnectionSignals
        yield* notifyChanged(ConnectionId.make(path.split("/").at(-1) ?? ""))
        expect((yield* Effect.forEach(events, (next) => next)).map((update) => update?.event)).toEqual([":", ":", ":"])
      }
      expect(reads).toEqual(before)
    })
  )
})
