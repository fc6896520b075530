import { testVendor } from "../vendorTests.ts"
import { transip } from "./transip.ts"

testVendor(transip)
