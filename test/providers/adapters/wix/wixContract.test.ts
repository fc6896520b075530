import { testVendor } from "../vendorTests.ts"
import { wix } from "./wix.ts"

testVendor(wix)
