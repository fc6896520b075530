import { testVendor } from "../vendorTests.ts"
import { infomaniak } from "./infomaniak.ts"

testVendor(infomaniak)
