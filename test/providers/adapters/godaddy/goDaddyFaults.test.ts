import { testFaults } from "../vendorTests.ts"
import { goDaddy } from "./goDaddy.ts"

testFaults(goDaddy)
