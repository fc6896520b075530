import { Effect, type Scope } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { digitalOceanState, makeFakeDigitalOcean } from "./FakeDigitalOcean.ts"
import { digitalOceanUnderTest, zone } from "./digitalOceanUnderTest.ts"

describeIfPossible("the adapter of DigitalOcean", missingVendorData, () =>
  vendorContract<Scope.Scope>(
    live,
    Effect.map(makeFakeDigitalOcean(digitalOceanState({ [zone]: [] })), (fake) => digitalOceanUnderTest(fake))
  )
)
