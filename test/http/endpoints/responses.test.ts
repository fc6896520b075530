import { expect, test } from "bun:test"
import { DateTime } from "effect"
import { ConnectionAction, ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { formatDocument, toCurrent } from "../../../src/http/endpoints/responses.ts"

const moment = "2026-03-04T05:06:07.089Z"

const storedAs = (document: object) => ({
  id: ConnectionId.make("con_1"),
  state: "planned" as const,
  doc: JSON.stringify(document),
  version: 1
})

test("a caller sees only the actions that it may call, whatever the texts contain", () => {
  const document = {
    allowedActions: ["approval", "cancel"],
    optionalFailureDetails: [],
    note: '"allowedActions":["retry"]'
  }
  const stored = storedAs(document)
  expect(JSON.parse(formatDocument(stored, ["cancel"]))).toEqual({ ...document, allowedActions: ["cancel"] })
  expect(formatDocument(stored, ConnectionAction.literals)).toBe(stored.doc)
})

test("the time of the next check is left out once it has come, whatever the texts contain", () => {
  const document = { note: `"nextCheckAt":"${moment}",`, nextCheckAt: moment, createdAt: moment }
  const { nextCheckAt: _, ...without } = document
  const stored = storedAs(document)
  expect(JSON.parse(toCurrent(stored, DateTime.unsafeMake(moment)).doc)).toEqual(without)
  expect(toCurrent(stored, DateTime.unsafeMake("2026-03-04T05:06:07.088Z"))).toEqual(stored)
})
