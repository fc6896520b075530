import { testFaults } from "../vendorTests.ts"
import { dnsimple } from "./dnsimple.ts"

testFaults(dnsimple)
