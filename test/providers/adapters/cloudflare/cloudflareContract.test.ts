import { testVendor } from "../vendorTests.ts"
import { cloudflare } from "./cloudflare.ts"

testVendor(cloudflare)
