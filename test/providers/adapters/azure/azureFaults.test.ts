import { testFaults } from "../vendorTests.ts"
import { azure } from "./azure.ts"

testFaults(azure)
