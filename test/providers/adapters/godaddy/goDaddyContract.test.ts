import { testVendor } from "../vendorTests.ts"
import { goDaddy } from "./goDaddy.ts"

testVendor(goDaddy)
