import { testFaults } from "../vendorTests.ts"
import { infomaniak } from "./infomaniak.ts"

testFaults(infomaniak)
