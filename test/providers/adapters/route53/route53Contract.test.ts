import { testVendor } from "../vendorTests.ts"
import { route53 } from "./route53.ts"

testVendor(route53)
