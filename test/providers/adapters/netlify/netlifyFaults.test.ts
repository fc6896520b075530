import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { faultMatrix } from "../faultMatrix.ts"
import { makeFakeNetlify, netlifyState } from "./FakeNetlify.ts"
import type { KeptNetlifyRecord } from "./netlifyRecords.ts"
import { netlifyUnderTest, recordsOf, zone } from "./netlifyUnderTest.ts"

/** A line of a zone file, for the types of the matrix. */
const toZoneFileLine = ({ hostname, ttl, type, value }: KeptNetlifyRecord): string =>
  [
    `${hostname}.`,
    ttl,
    type === "ALIAS" ? "CNAME" : type,
    type === "TXT" ? `"${value}"` : type === "A" ? value : value.replace(/\.?$/, ".")
  ].join(" ")

describeIfPossible("at Netlify", missingVendorData, () =>
  faultMatrix("Netlify", {
    makeFake: (options) => makeFakeNetlify({ ...netlifyState({ [zone]: [] }), pageLength: 100 }, options),
    adapterFor: (fake, http) => ({
      ...netlifyUnderTest(fake, { http }),
      dump: Effect.sync(() => recordsOf(fake.state()).map(toZoneFileLine))
    }),
    writes: "records",
    storesApexAlias: true,
    recordsOfTwoPages: 110
  })
)
