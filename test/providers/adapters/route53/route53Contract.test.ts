import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { makeRoute53UnderTest } from "./route53UnderTest.ts"

describeIfPossible("the adapter of Route 53", missingVendorData, () => vendorContract(live, makeRoute53UnderTest()))
