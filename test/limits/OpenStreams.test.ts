import { expect, test } from "bun:test"
import { Effect } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { OpenStreams } from "../../src/limits/OpenStreams.ts"
import { makeDescriptorCheck } from "../../src/runtime/openFiles.ts"
import { withLayer } from "../support/effectTest.ts"
import { tenancyOf } from "../support/testApi.ts"

const connection = { id: ConnectionId.make("con_00000000000000000000000001"), tenancy: tenancyOf("app", "tenant") }

withLayer("ten streams of a tenant", OpenStreams.layer({ perConnection: 50, perTenant: 10 }), (live) => {
  live("are fewer of connections with large documents, one for each 4 KiB", () =>
    Effect.gen(function* () {
      const streams = yield* OpenStreams
      const large = { ...connection, bytes: 3 * 4_096 + 1 }
      const releases = [yield* streams.open(large), yield* streams.open(large), yield* streams.open(connection)]
      expect(streams.countOpen(connection.tenancy)).toBe(9)
      expect((yield* Effect.flip(streams.open(large)))._tag).toBe("TooManyStreams")
      releases.push(yield* streams.open(connection))
      expect((yield* Effect.flip(streams.open(connection)))._tag).toBe("TooManyStreams")
      releases.forEach((release) => release())
      expect(streams.countOpen(connection.tenancy)).toBe(0)
    })
  )
})

test("a process is short of descriptors once four fifths are open, including those accepted since the last count", () => {
  const isShort = makeDescriptorCheck(100, () => 77)
  expect([isShort(), isShort(), isShort(), isShort()]).toEqual([false, false, false, true])
})

test("this process has descriptors left, by the count of the system", () => {
  expect(makeDescriptorCheck()()).toBe(false)
  expect(makeDescriptorCheck(1)()).toBe(true)
})
