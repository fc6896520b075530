import { Effect } from "effect"
import type { Connection } from "../../domain/connection/Connection.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ReplacedRecord } from "../../domain/provider/DomainConnectOffer.ts"
import { recordTypeNames } from "../../domain/records/recordTypes.ts"
import { byHost, ZoneSurvey } from "../plan/ZoneSurvey.ts"

/** Records that a Domain Connect provider should have left, and that its servers no longer show; none if unknown. */
export const findRemovedBeside = Effect.map(ZoneSurvey, (survey) => ({ effectiveIntent, provider }: Connection) => {
  const keeps = provider?.domainConnect?.keeps ?? []
  const questions = byHost(
    keeps.map(({ host, type }) => {
      const types = recordTypeNames.filter((name) => name === type)
      return { host, types, required: types }
    })
  )
  return keeps.length === 0
    ? Effect.succeed<ReadonlyArray<ReplacedRecord>>([])
    : survey
        .read(DomainName.make(effectiveIntent.domain), () => questions)
        .pipe(
          Effect.map(({ zone }) => keeps.filter((kept) => !zone.records.some((record) => isSame(record, kept)))),
          Effect.orElseSucceed(() => [])
        )
})

const isSame = (one: ReplacedRecord, other: ReplacedRecord): boolean =>
  one.host === other.host && one.type === other.type && one.value === other.value && one.priority === other.priority
