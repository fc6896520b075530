import { expect, test } from "bun:test"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { toObservationsDocument } from "../../../src/domain/plan/ObservationsDocument.ts"
import { withoutValidation } from "../../../src/domain/values/boundedSchemas.ts"

test("keeps to itself what the service remembers of earlier checks and of single servers", () => {
  const expected = { host: "www", type: "CNAME", value: "shops.example.net", ttl: 300, optional: false } as const
  const record = { expected, observed: [], status: "missing", wasBeside: true } as const
  const effectiveIntent = EffectiveIntent.make({ domain: "shop.example.com", records: [] }, withoutValidation)
  const document = toObservationsDocument({ records: [record], removals: [record], toRemove: [] }, { effectiveIntent })
  expect(document).toEqual({
    records: [{ expected: { ...expected, name: "www.shop.example.com" }, observed: [], status: "missing" }],
    toRemove: []
  })
})
