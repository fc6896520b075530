import { testVendor } from "../vendorTests.ts"
import { simply } from "./simply.ts"

testVendor(simply)
