import { testFaults } from "../vendorTests.ts"
import { hetznerWith } from "./hetzner.ts"

testFaults(hetznerWith({ actionMillis: 200 }))
