import { testVendor } from "../vendorTests.ts"
import { unitedDomains } from "./ionos.ts"

testVendor(unitedDomains)
