import { DateTime } from "effect"
import { Connection, Failure } from "../domain/Connection.ts"
import { type ConnectionRecord, Progress } from "../domain/ConnectionRecord.ts"
import { Plan } from "../domain/Plan.ts"

/** A connection as it would be if all that happened to it had happened this many seconds earlier. */
export const ageConnection = ({ connection, progress }: ConnectionRecord, seconds: number): ConnectionRecord => {
  const age = (moment: DateTime.Utc) => DateTime.subtract(moment, { seconds })
  const { failure, nextCheckAt, plan } = connection
  return {
    connection: Connection.make(
      {
        ...connection,
        ...(plan === undefined ? {} : { plan: Plan.make({ ...plan, expiresAt: age(plan.expiresAt) }, unchecked) }),
        ...(failure === undefined
          ? {}
          : { failure: Failure.make({ ...failure, occurredAt: age(failure.occurredAt) }, unchecked) }),
        ...(nextCheckAt === undefined ? {} : { nextCheckAt: age(nextCheckAt) }),
        createdAt: age(connection.createdAt),
        updatedAt: age(connection.updatedAt)
      },
      unchecked
    ),
    progress: Progress.make(
      {
        ...progress,
        enteredAt: age(progress.enteredAt),
        ...(progress.missedAt === undefined ? {} : { missedAt: age(progress.missedAt) }),
        ...(progress.authorizedAt === undefined ? {} : { authorizedAt: age(progress.authorizedAt) }),
        ...(progress.resumesAt === undefined ? {} : { resumesAt: age(progress.resumesAt) }),
        entered: progress.entered.map(({ at, change }) => ({ change, at: age(at) }))
      },
      unchecked
    )
  }
}

/** The parts are those of a valid record. */
const unchecked = { disableValidation: true } as const
