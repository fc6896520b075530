import { everyKind } from "../faultMatrix.ts"
import { testFaults } from "../vendorTests.ts"
import { route53 } from "./route53.ts"

testFaults(route53, everyKind)
