import { testVendor } from "../vendorTests.ts"
import { netlify } from "./netlify.ts"

testVendor(netlify)
