import { testVendor } from "../vendorTests.ts"
import { ionos, unitedDomains } from "./ionos.ts"

testVendor(ionos)
testVendor(unitedDomains)
