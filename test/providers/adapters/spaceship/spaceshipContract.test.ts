import { testVendor } from "../vendorTests.ts"
import { spaceship } from "./spaceship.ts"

testVendor(spaceship)
