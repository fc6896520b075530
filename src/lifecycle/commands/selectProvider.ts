import { Effect, Either } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { Provider } from "../../domain/provider/Provider.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { Providers } from "../../providers/Providers.ts"
import { unknownProvider } from "../../providers/catalog/catalog.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { IllegalTransition } from "../state/advance.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed, returnAndChoose } from "./authorizationMethods.ts"
import { ProviderNotSelectable } from "./commandErrors.ts"
import { type CommandEffect, type CommandOptions, runCommand } from "./defineCommand.ts"

export const selectProvider = Effect.gen(function* () {
  const runner = yield* CommandRunner
  const { all } = yield* Providers

  return (
    tenancy: Tenancy,
    id: ConnectionId,
    providerId: Provider["id"],
    options: CommandOptions
  ): CommandEffect<ProviderNotSelectable> =>
    runCommand(runner, tenancy, id, options, (current) =>
      Either.map(decideSelection(current, providerId, [...all, unknownProvider]), (events) => ({ events }))
    )
})

/** Nothing changes if the customer has said so before. */
const decideSelection = (
  current: ConnectionRecord,
  id: Provider["id"],
  known: ReadonlyArray<Provider>
): Either.Either<Decision["events"], ProviderNotSelectable | IllegalTransition> => {
  const { provider, state } = current.connection
  if (provider === undefined) return Either.left(new IllegalTransition({ from: state, event: "ProviderSelected" }))
  const { detection } = provider
  const ids = [...(detection.candidates ?? []), unknownProvider].map((candidate) => candidate.id)
  const found = known.find((each) => each.id === id)
  if (detection.candidates === undefined || !ids.includes(id) || found === undefined)
    return Either.left(
      detection.candidates === undefined
        ? refuse(`the provider of this domain is ${provider.name}, and nobody has to say so`, "is not asked for")
        : refuse("this provider is not among the candidates of the domain", `must be one of ${ids.join(", ")}`)
    )
  if (provider.id === id && detection.method === "manual_selection") return Either.right([])
  const selected = LifecycleEvent.ProviderSelected({
    provider: new Provider({ ...found, detection: { ...detection, method: "manual_selection" } }, withoutValidation)
  })
  return Either.right(state === "authorizing" ? [authorizationClosed, selected] : returnAndChoose(current, selected))
}

const refuse = (message: string, detail: string): ProviderNotSelectable =>
  new ProviderNotSelectable({
    code: "provider_not_selectable",
    message,
    details: [{ pointer: "/provider", code: "provider_not_selectable", message: detail }]
  })
