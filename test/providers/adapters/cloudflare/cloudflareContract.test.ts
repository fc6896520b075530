import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { adapterContract } from "../adapterContract.ts"
import { cloudflareUnderTest } from "./cloudflareUnderTest.ts"

describeIfPossible("the adapter for Cloudflare", missingVendorData, () => {
  adapterContract(live, cloudflareUnderTest())
})
