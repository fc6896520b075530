import { testFaults } from "../vendorTests.ts"
import { vercel } from "./vercel.ts"

testFaults(vercel)
