import { expect, test } from "bun:test"
import { Schema } from "effect"
import { Connection } from "../../../../src/domain/connection/Connection.ts"
import { makeInitialProgress } from "../../../../src/domain/connection/ConnectionRecord.ts"
import {
  encodeConnection,
  encodeProgress,
  renewDocument
} from "../../../../src/persistence/stores/connections/StoredConnection.ts"
import { requestedConnection } from "../../connectionFixtures.ts"

test("a document that an earlier version wrote gets the form of this one, and one of this version stays", () => {
  const connection = requestedConnection()
  const present = encodeConnection(connection)
  const earlier = JSON.stringify(Schema.encodeSync(Connection)(connection))
  expect(earlier).not.toBe(present)
  expect(renewDocument(earlier)).toBe(present)
  expect(renewDocument(present)).toBe(present)
})

test("the choice of a manual setup keeps the name by which earlier versions stored it", () => {
  const progress = makeInitialProgress(requestedConnection())
  expect(JSON.parse(encodeProgress({ ...progress, isManual: true }))).toMatchObject({ byHand: true })
})
