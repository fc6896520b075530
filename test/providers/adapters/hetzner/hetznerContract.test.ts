import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { vendorContract } from "../vendorContract.ts"
import { makeFakeHetzner } from "./FakeHetzner.ts"
import { hetznerState } from "./hetznerState.ts"
import { hetznerUnderTest, zoneName } from "./hetznerUnderTest.ts"

describeIfPossible("the adapter of Hetzner", missingVendorData, () => {
  vendorContract<never>(live, Effect.map(makeFakeHetzner(hetznerState({ [zoneName]: [] })), hetznerUnderTest))
})
