import { testFaults } from "../vendorTests.ts"
import { hostinger } from "./hostinger.ts"

testFaults(hostinger)
