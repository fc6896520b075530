import { testFaults } from "../vendorTests.ts"
import { googleCloudDns } from "./googleCloudDns.ts"

testFaults(googleCloudDns)
