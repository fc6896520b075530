import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { cloudflareUnderTest } from "./cloudflareUnderTest.ts"

describeIfPossible("the adapter for Cloudflare", missingVendorData, () => {
  vendorContract(live, cloudflareUnderTest())
})
