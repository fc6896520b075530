import { Effect } from "effect"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { faultMatrix } from "../faultMatrix.ts"
import { makeFakeHetzner } from "./FakeHetzner.ts"
import { endActions, hetznerState } from "./hetznerState.ts"
import { clientFor, hetznerUnderTest, setsOf, toLines, zoneName } from "./hetznerUnderTest.ts"

describeIfPossible("at Hetzner", missingVendorData, () =>
  faultMatrix("Hetzner", {
    makeFake: (options) => makeFakeHetzner(hetznerState({ [zoneName]: [] }, { actionMillis: 200 }), options),
    adapterFor: (fake, http) => ({
      ...hetznerUnderTest(fake, clientFor(fake, defaultTimeouts, http)),
      // As the zone will be when every accepted action has ended; sets without a TTL are those of the zone itself.
      dump: Effect.sync(() =>
        setsOf(endActions(fake.state(), Infinity))
          .filter(({ ttl }) => ttl !== null)
          .flatMap(toLines)
      )
    }),
    writes: "sets",
    recordsOfTwoPages: 110
  })
)
