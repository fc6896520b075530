import { testVendor } from "../vendorTests.ts"
import { namecom } from "./namecom.ts"

testVendor(namecom)
