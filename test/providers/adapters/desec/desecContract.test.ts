import { testVendor } from "../vendorTests.ts"
import { desec } from "./desec.ts"

testVendor(desec)
