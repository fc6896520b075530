import { Schema } from "effect"
import type { Connection, ConnectionId } from "./Connection.ts"
import type { Tenancy } from "./Tenancy.ts"

/** Whose a secret is: that of one connection, which has one of each kind at most. */
export interface SecretOwner extends Tenancy {
  readonly connectionId: ConnectionId
}

/** A connection, or what it is found by, as the owner of its secrets. */
export const secretOwnerOf = ({
  applicationId,
  id,
  tenantId
}: Pick<Connection, "applicationId" | "id" | "tenantId">): SecretOwner => ({
  applicationId,
  tenantId,
  connectionId: id
})

/** A secret as it is kept: encrypted under the master key of that version, with a nonce that was used once. */
export interface SealedSecret {
  readonly keyVersion: number
  readonly nonce: Uint8Array
  readonly ciphertext: Uint8Array
}

/** The columns of a sealed secret. */
export const SealedSecretRow = Schema.Struct({
  keyVersion: Schema.Int,
  nonce: Schema.Uint8ArrayFromSelf,
  ciphertext: Schema.Uint8ArrayFromSelf
})
