import { testFaults } from "../vendorTests.ts"
import { ovh } from "./ovh.ts"

testFaults(ovh)
