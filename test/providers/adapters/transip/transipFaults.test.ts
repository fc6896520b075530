import { testFaults } from "../vendorTests.ts"
import { transip } from "./transip.ts"

testFaults(transip)
