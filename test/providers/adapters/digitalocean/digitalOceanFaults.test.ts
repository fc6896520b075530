import { testFaults } from "../vendorTests.ts"
import { digitalOcean } from "./digitalOcean.ts"

testFaults(digitalOcean)
