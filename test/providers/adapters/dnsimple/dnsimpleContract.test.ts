import { testVendor } from "../vendorTests.ts"
import { dnsimple } from "./dnsimple.ts"

testVendor(dnsimple)
