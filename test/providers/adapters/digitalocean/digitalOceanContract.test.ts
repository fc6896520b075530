import { testVendor } from "../vendorTests.ts"
import { digitalOcean } from "./digitalOcean.ts"

testVendor(digitalOcean)
