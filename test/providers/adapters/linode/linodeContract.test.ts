import { testVendor } from "../vendorTests.ts"
import { linode } from "./linode.ts"

testVendor(linode)
