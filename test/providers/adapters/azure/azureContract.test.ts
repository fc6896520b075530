import { testVendor } from "../vendorTests.ts"
import { azure } from "./azure.ts"

testVendor(azure)
