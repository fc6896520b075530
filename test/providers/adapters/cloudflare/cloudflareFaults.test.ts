import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { faultMatrix } from "../faultMatrix.ts"
import { adapterOn, clientFor } from "./cloudflareUnderTest.ts"
import { cloudflareState, makeFakeCloudflare } from "./FakeCloudflare.ts"
import type { StoredCloudflareRecord } from "./storedCloudflareRecords.ts"

/** A line of a zone file, for the types of the matrix. */
const toZoneFileLine = ({ content, name, ttl, type }: StoredCloudflareRecord): string =>
  [`${name}.`, ttl, type, type === "CNAME" ? `${content}.` : content].join(" ")

/** Fewer than the adapter asks for, as the API gives to some plans, so that a zone of two pages is soon made. */
const recordsPerPage = 100

describeIfPossible("at Cloudflare", missingVendorData, () =>
  faultMatrix("Cloudflare", {
    makeFake: (options) =>
      makeFakeCloudflare(
        { ...cloudflareState({ "example.com": { plan: "enterprise" } }), maxPageSize: recordsPerPage },
        options
      ),
    adapterFor: (fake, http) => ({
      ...adapterOn(fake, clientFor(fake, "10 seconds", http)),
      dump: Effect.sync(() => fake.state().zones.flatMap(({ records }) => records.map(toZoneFileLine)))
    }),
    writes: "records",
    storesApexAlias: true,
    recordsOfTwoPages: recordsPerPage + 10
  })
)
