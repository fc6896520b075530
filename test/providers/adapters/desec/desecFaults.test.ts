import { testFaults } from "../vendorTests.ts"
import { desec } from "./desec.ts"

testFaults(desec)
