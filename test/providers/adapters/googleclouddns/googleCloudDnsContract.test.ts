import { testVendor } from "../vendorTests.ts"
import { googleCloudDns } from "./googleCloudDns.ts"

testVendor(googleCloudDns)
