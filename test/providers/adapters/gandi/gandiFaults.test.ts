import { testFaults } from "../vendorTests.ts"
import { gandi } from "./gandi.ts"

testFaults(gandi)
