import { testFaults } from "../vendorTests.ts"
import { namecom } from "./namecom.ts"

testFaults(namecom)
