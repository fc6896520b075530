import { testFaults } from "../vendorTests.ts"
import { spaceship } from "./spaceship.ts"

testFaults(spaceship)
