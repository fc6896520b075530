import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { createTestConnection } from "../support/TestConnection.ts"
import { withLayer } from "../support/effectTest.ts"
import { Lab } from "../support/lab/Lab.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { zoneEditorQuirks } from "../support/lab/zoneEditorQuirks.ts"
import { labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"
import { eventually } from "../webhooks/Receiver.ts"
import { readDocument, saveDocument } from "./recordedDocuments.ts"
import { type RecordedSlip, recordedSlips, slipDocumentName } from "./recordedSlips.ts"

test("each recorded slip is what the service diagnoses", () => {
  for (const { code, name = code } of recordedSlips) {
    const { records } = readDocument(slipDocumentName(name)).observations
    expect(records.map(({ diagnosis }) => diagnosis?.code)).toContain(code)
  }
})

/** A shop's domain at GoDaddy, whose records the customer enters by hand. */
const connectByHand = ({
  before = [],
  code,
  name = code,
  nameServers = zoneEditorQuirks.godaddy.nameServers,
  record,
  zone = `${name.replaceAll("_", "-")}.com`
}: RecordedSlip) =>
  Effect.gen(function* () {
    let lines: ReadonlyArray<string> = before
    const toDumped = (line: string) =>
      line.replace(/^(\S+) /, (_, host) => `${host === "@" ? "" : `${host}.`}${zone} 300 `)
    const isOfLab = zone === "mixed.com"
    const { publish } = isOfLab
      ? { publish: Effect.void }
      : yield* serveAtLab({ zone, nameServers, dump: Effect.sync(() => lines.map(toDumped)) })
    const { key } = yield* issueKey()
    const connection = yield* createTestConnection(key, { domain: zone, records: [record] })
    if (connection.created.state === "awaiting_authorization")
      yield* connection.command("authorization", { method: "manual" })
    const observe = Effect.flatMap(get(`/v1/connections/${connection.id}/records`, key), jsonOf)
    const check = Effect.gen(function* () {
      const now = Date.now()
      yield* connection.command("recheck")
      const isNew = ({ records: [first] }: any) => Date.parse(first.checkedAt) >= now
      return yield* eventually(Effect.filterOrFail(observe, isNew))
    })
    /** What the name servers answer with from now on. */
    const enter = (entered: ReadonlyArray<string>) =>
      Effect.zipRight(
        Effect.sync(() => (lines = entered)),
        publish
      )
    return { ...connection, check, enter, zone }
  })

const recordSlip = (slip: RecordedSlip) =>
  Effect.gen(function* () {
    const connection = yield* connectByHand(slip)
    yield* connection.check
    yield* slip.beside?.(connection.zone, yield* Lab) ?? Effect.void
    yield* connection.enter(slip.entered.map((line) => line.replaceAll("{zone}", connection.zone)))
    const observations = yield* connection.check
    expect(observations.records[0].diagnosis?.code).toBe(slip.code)
    saveDocument(slipDocumentName(slip.name ?? slip.code), { connection: yield* connection.read, observations })
  })

if (process.env["RECORD_DOCUMENTS"] !== undefined) {
  const service = labService([])
  const [cached, uncached] = [
    recordedSlips.filter(({ isCached }) => isCached),
    recordedSlips.filter(({ isCached }) => !isCached)
  ]
  withLayer("a record of a slip", service.pipe(Layer.provideMerge(Lab.layer)), (live) => {
    for (const slip of uncached) live(slip.name ?? slip.code, () => recordSlip(slip))
  })
  withLayer("a record of what resolvers remember", service.pipe(Layer.provideMerge(Lab.layerWithCache)), (live) => {
    for (const slip of cached) live(slip.code, () => recordSlip(slip))
  })
}
