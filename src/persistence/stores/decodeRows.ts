import { Array, Effect, Either, Schema } from "effect"
import { compileDecoder } from "../../runtime/compileDecoder.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { ConnectionId } from "../../domain/connection/Connection.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { SealedSecret, type StoredSecret } from "../../domain/access/SealedSecret.ts"
import { ApplicationId, TenantId } from "../../domain/access/Tenancy.ts"

/** Makes a decoder of the rows of a statement; a row that does not fit its schema is a defect. */
export const decodeRows = <A, I>(row: Schema.Schema<A, I>) => {
  const decode = compileDecoder(Schema.Array(row))
  return (rows: unknown): Effect.Effect<ReadonlyArray<A>> =>
    Either.match(decode(rows), { onLeft: Effect.die, onRight: Effect.succeed })
}

/** The same for statements that may return many rows: the event loop runs between them. */
export const decodeRowsInSlices = <A, I>(row: Schema.Schema<A, I>) => {
  const decode = compileDecoder(row)
  return (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A>> => computeInSlices(decodeEach(rows, decode))
}

function* decodeEach<A>(
  rows: ReadonlyArray<unknown>,
  decode: (row: unknown) => Either.Either<A, unknown>
): LongComputation<ReadonlyArray<A>> {
  const decoded: Array<A> = []
  for (const row of rows) {
    decoded.push(Either.getOrThrowWith(decode(row), (error) => error))
    yield
  }
  return decoded
}

/** Whether a statement that returns the column `written` had its effect. */
export const isWritten = (rows: unknown): Effect.Effect<boolean> =>
  Effect.map(decodeWritten(rows), (decoded) => decoded.some(({ written }) => written))

const decodeWritten = decodeRows(Schema.Struct({ written: Schema.Boolean }))

/** Decodes the rows of a table that holds one sealed secret for a connection. */
export const decodeStoredSecrets = (rows: unknown): Effect.Effect<ReadonlyArray<StoredSecret>> =>
  Effect.map(
    decodeOwnedSecrets(rows),
    Array.map(({ ciphertext, keyVersion, nonce, ...owner }) => ({ owner, sealed: { keyVersion, nonce, ciphertext } }))
  )

const decodeOwnedSecrets = decodeRows(
  Schema.Struct({
    ...SealedSecret.fields,
    connectionId: ConnectionId,
    applicationId: ApplicationId,
    tenantId: TenantId
  })
)

/** How many rows are due and wait, and for how long the oldest one has. */
export const backlogColumns = { waiting: Schema.Int, oldestSeconds: Schema.Number }

export const decodeBacklog = decodeRows(Schema.Struct(backlogColumns))
