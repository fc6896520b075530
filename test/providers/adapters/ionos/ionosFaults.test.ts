import { testFaults } from "../vendorTests.ts"
import { ionos } from "./ionos.ts"

testFaults(ionos)
