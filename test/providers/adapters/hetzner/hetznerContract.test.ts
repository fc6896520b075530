import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { adapterContract } from "../adapterContract.ts"
import { makeFakeHetzner } from "./FakeHetzner.ts"
import { hetznerState } from "./hetznerState.ts"
import { hetznerUnderTest, zoneName } from "./hetznerUnderTest.ts"

describeIfPossible("the adapter of Hetzner", missingVendorData, () => {
  adapterContract<never>(live, Effect.map(makeFakeHetzner(hetznerState({ [zoneName]: [] })), hetznerUnderTest))
})
