import { Effect, type Scope } from "effect"
import { live } from "../../../support/effectTest.ts"
import { vendorContract } from "../vendorContract.ts"
import { desecUnderTest, makeFakeWith } from "./desecUnderTest.ts"

vendorContract<Scope.Scope>(
  live,
  Effect.map(makeFakeWith(), (fake) => desecUnderTest(fake))
)
