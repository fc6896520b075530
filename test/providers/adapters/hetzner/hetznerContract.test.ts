import { testVendor } from "../vendorTests.ts"
import { hetzner } from "./hetzner.ts"

testVendor(hetzner)
