import { testFaults } from "../vendorTests.ts"
import { linode } from "./linode.ts"

testFaults(linode)
