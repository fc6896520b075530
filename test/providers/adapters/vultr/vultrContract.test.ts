import { testVendor } from "../vendorTests.ts"
import { vultr } from "./vultr.ts"

testVendor(vultr)
