import { testVendor } from "../vendorTests.ts"
import { ovh } from "./ovh.ts"

testVendor(ovh)
