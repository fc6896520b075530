import { testFaults } from "../vendorTests.ts"
import { simply } from "./simply.ts"

testFaults(simply)
