import { testVendor } from "../vendorTests.ts"
import { vercel } from "./vercel.ts"

testVendor(vercel)
