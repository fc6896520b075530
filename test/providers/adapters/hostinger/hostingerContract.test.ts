import { testVendor } from "../vendorTests.ts"
import { hostinger } from "./hostinger.ts"

testVendor(hostinger)
