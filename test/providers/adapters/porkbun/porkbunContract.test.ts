import { testVendor } from "../vendorTests.ts"
import { porkbun } from "./porkbun.ts"

testVendor(porkbun)
