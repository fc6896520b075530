import { testFaults } from "../vendorTests.ts"
import { porkbun } from "./porkbun.ts"

testFaults(porkbun)
