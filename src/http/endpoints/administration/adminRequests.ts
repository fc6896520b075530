import { Duration, Schema } from "effect"
import { ApplicationNotFound } from "../../../administration/administrationErrors.ts"
import { ApplicationId } from "../../../domain/access/Tenancy.ts"
import { documentDefault } from "../../../domain/values/documentedDefaults.ts"
import { maxRotationOverlap } from "../../../security/ApiKeys.ts"
import { defineErrorResponse } from "../../contract/defineErrorResponse.ts"
import { strictParsing } from "../../contract/requestSchemas.ts"

/** The path parameters of an endpoint on an application, with others. */
export const defineAdminPath = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ applicationId: ApplicationId.annotations({ description: "The application." }), ...fields })

export const applicationNotFound = defineErrorResponse("There is no such application.", [ApplicationNotFound])

const maxOverlapSeconds = Duration.toSeconds(maxRotationOverlap)

const defaultOverlapSeconds = 86_400

/** The body of a rotation: how long what is replaced stays valid. */
export const RotationRequest = Schema.Struct({
  overlapSeconds: Schema.optionalWith(
    documentDefault(
      Schema.Int.pipe(
        Schema.between(0, maxOverlapSeconds, { message: () => `must be a whole number from 0 to ${maxOverlapSeconds}` })
      ).annotations({
        jsonSchema: {
          type: "integer",
          minimum: 0,
          maximum: maxOverlapSeconds,
          description: "How long the old one stays valid: at most seven days."
        }
      }),
      { identifier: "OverlapSeconds", value: defaultOverlapSeconds }
    ),
    { default: () => defaultOverlapSeconds }
  )
}).annotations({ identifier: "RotationRequest", ...strictParsing })
