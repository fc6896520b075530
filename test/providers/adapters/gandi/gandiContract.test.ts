import { testVendor } from "../vendorTests.ts"
import { gandi } from "./gandi.ts"

testVendor(gandi)
