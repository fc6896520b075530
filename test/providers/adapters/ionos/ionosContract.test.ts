import { testVendor } from "../vendorTests.ts"
import { ionos } from "./ionos.ts"

testVendor(ionos)
