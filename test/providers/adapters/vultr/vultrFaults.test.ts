import { testFaults } from "../vendorTests.ts"
import { vultr } from "./vultr.ts"

testFaults(vultr)
