import { testFaults } from "../vendorTests.ts"
import { wix } from "./wix.ts"

testFaults(wix)
