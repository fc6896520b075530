import { testFaults } from "../vendorTests.ts"
import { netlify } from "./netlify.ts"

testFaults(netlify)
