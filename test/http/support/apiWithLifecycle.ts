import { Layer } from "effect"
import { ConnectionOperations } from "../../../src/administration/ConnectionOperations.ts"
import { administrationLayer } from "../../../src/administration/layer.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { unlimitedQuotas } from "../../../src/domain/access/Quota.ts"
import { lifecycleServices } from "../../../src/lifecycle/layer.ts"
import { Quotas } from "../../../src/limits/Quotas.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { masterKey, securityWith } from "../../support/masterKeys.ts"
import { httpOnFreePort, webhooksWithoutLoop } from "../../support/testApi.ts"
import { type ScriptedProvider, withoutLogs } from "../../lifecycle/phases/scriptedProvider.ts"

/** The HTTP API with the phases of connections, for domains at a scripted provider; the stores are to be provided. */
export const apiWithLifecycle = (acme: ScriptedProvider) =>
  Layer.merge(httpOnFreePort(), Dispatcher.loop).pipe(
    Layer.provide(webhooksWithoutLoop),
    Layer.provideMerge(Layer.merge(administrationLayer, ConnectionOperations.layer)),
    Layer.provideMerge(lifecycleServices({ stateTimeouts: defaultStateTimeouts, phasesInFlight: 8 })),
    Layer.provide(acme.layer),
    Layer.provideMerge(securityWith(masterKey(1))),
    Layer.provideMerge(Quotas.layer(unlimitedQuotas)),
    Layer.provideMerge(Identifiers.layer),
    Layer.provideMerge(withoutLogs)
  )
