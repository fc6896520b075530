import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { Connection } from "../../../src/domain/connection/Connection.ts"
import { ConnectionDocument, toConnectionDocument } from "../../../src/domain/connection/ConnectionDocument.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { toObservationsDocument } from "../../../src/domain/plan/ObservationsDocument.ts"

const record = (host: string) => ({ host, type: "TXT", value: "one", ttl: 300, optional: false }) as const

const moment = "2026-03-04T05:06:07.089Z"

const fields = {
  id: "con_1",
  applicationId: "app",
  tenantId: "tenant",
  intent: {
    domain: "bücher.example.org",
    records: [],
    existingRecordPolicy: { validateDmarc: true, validateCAA: true }
  },
  effectiveIntent: { domain: "xn--bcher-kva.example.org", records: [record("@"), record("_v")] },
  state: "planned",
  plan: {
    digest: `sha-256:${"0".repeat(64)}`,
    zone: "example.org",
    basis: "provider",
    changes: [{ action: "create", after: record("_v"), destructive: true }],
    warnings: ["wildcard_hidden", "ttl_adjusted"],
    warningDetails: [{ code: "wildcard_hidden", changes: [0], findings: ["fruit no longer answers with A."] }],
    expiresAt: moment
  },
  optionalFailures: ["CAA @ record_type_unsupported"],
  allowedActions: ["approval", "cancel"],
  createdAt: moment,
  updatedAt: moment
} as const

const makeDocument = () =>
  toConnectionDocument(fields as typeof Connection.Encoded, [
    { type: "CAA", host: "@", code: "record_type_unsupported" }
  ])

describe("the document of a connection", () => {
  test("names each host in full, in Unicode, and as the DNS settings of the zone take it", () => {
    const document = makeDocument()
    const [apex, below] = document.effectiveIntent.records
    expect(apex).toMatchObject({
      host: "@",
      name: "xn--bcher-kva.example.org",
      unicodeName: "bücher.example.org",
      zoneHost: "xn--bcher-kva"
    })
    expect(below).toMatchObject({ host: "_v", name: "_v.xn--bcher-kva.example.org", zoneHost: "_v.xn--bcher-kva" })
    expect(document.plan?.changes[0]?.after?.zoneHost).toBe("_v.xn--bcher-kva")
  })

  test("has no host relative to the zone while the zone is unknown, and no Unicode where that is the same", () => {
    const { plan: _, ...requested } = fields
    const { effectiveIntent } = toConnectionDocument(
      {
        ...requested,
        effectiveIntent: { domain: "example.org", records: [record("www")] }
      } as typeof Connection.Encoded,
      []
    )
    expect(effectiveIntent.records).toEqual([{ ...record("www"), name: "www.example.org" }])
  })

  test("explains each warning: its severity, what must be acknowledged, its changes and findings", () => {
    expect(makeDocument().plan?.warningDetails).toMatchObject([
      {
        code: "wildcard_hidden",
        severity: "serious",
        requiresAcknowledgement: true,
        message: expect.stringMatching(/^A wildcard .* fruit no longer answers with A\.$/),
        changes: [0]
      },
      { code: "ttl_adjusted", severity: "info", requiresAcknowledgement: false, changes: [] }
    ])
  })

  test("explains the optional records that were left out", () => {
    expect(makeDocument().optionalFailureDetails).toMatchObject([
      { type: "CAA", name: "xn--bcher-kva.example.org", message: failureMeanings.record_type_unsupported }
    ])
  })

  test("fits its own schema, and that of a connection", () => {
    expect(Schema.decodeUnknownSync(ConnectionDocument)(makeDocument()).plan?.warningDetails).toHaveLength(2)
    expect(Schema.decodeUnknownSync(Connection)(makeDocument()).allowedActions).toEqual(["approval", "cancel"])
  })
})

test("observed records have the names of their hosts", () => {
  const { records, toRemove } = toObservationsDocument(
    { records: [{ expected: record("@"), observed: [], status: "unknown" }], toRemove: [record("old")] },
    Schema.decodeUnknownSync(Connection)(makeDocument())
  )
  expect([records[0]?.expected.zoneHost, toRemove?.[0]?.zoneHost]).toEqual(["xn--bcher-kva", "old.xn--bcher-kva"])
})
