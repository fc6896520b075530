import { Either, Schema, Struct } from "effect"
import { parseTemplate } from "../../domainConnect/Template.ts"
import { RecordTemplate } from "../connection/RecordTemplate.ts"
import { Origin, parseOrigin } from "../names/Origin.ts"
import { ApplicationId } from "./Tenancy.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { boundedArray, boundedString, optional } from "../values/boundedSchemas.ts"
import { mergeSettings, removable } from "./mergeSettings.ts"

/**
 * Whether a connection needs proof that its requester controls the domain before it becomes `active`: always, always by
 * a credential or the challenge, only where another tenant of the application holds a host of the domain, or never.
 */
export const ControlProof = Schema.Literal("required", "challenge", "when_contested", "off").annotations({
  identifier: "ControlProof",
  default: "required",
  description:
    "Whether a connection needs proof that its requester controls the domain before it becomes `active`: always (`required`), always by a credential or the challenge (`challenge`), only where another tenant of the application holds a host of the domain (`when_contested`), or never (`off`)."
})
export type ControlProof = typeof ControlProof.Type

const HttpsUrl = Schema.String.pipe(
  Schema.filter(
    (text) => {
      if (text.length > 2_000 || !URL.canParse(text)) return false
      const { origin, password, protocol, username } = new URL(text)
      // The origin of the logo becomes a part of a policy: its host may have the characters of host names only.
      return protocol === "https:" && username === "" && password === "" && Either.isRight(parseOrigin(origin))
    },
    { message: () => "must be an https URL of at most 2000 characters, with a valid host, without user and password" }
  )
).annotations({ jsonSchema: { type: "string", format: "uri", maxLength: 2_000 } })

/** The origin of pages to which customers may return from their provider, exactly as browsers send it. */
const ReturnOrigin = Origin.pipe(
  Schema.filter((text) => Either.isRight(parseOrigin(text)), {
    message: () => "must be an origin as browsers send it, such as https://shop.example.com"
  })
).annotations({ jsonSchema: { type: "string", maxLength: 2_000 } })

/** The JSON of a template of Domain Connect. */
const TemplateText = boundedString(65_535).pipe(
  Schema.filter((text) =>
    Either.match(parseTemplate(text), {
      onLeft: (reason) => `must be the JSON of a template of Domain Connect, as a text: ${reason.slice(0, 500)}`,
      onRight: () => true
    })
  )
)

/** The settings that the platform chose for an application. Rows hold JSON; an absent field has its default. */
export const ApplicationSettings = Schema.Struct({
  name: optional(
    Schema.String.pipe(
      Schema.pattern(/^[^\p{Cc}]{1,100}$/u, { message: () => "must be 1 to 100 characters in one line" })
    ).annotations({
      jsonSchema: { type: "string", minLength: 1, maxLength: 100, description: "What customers call the platform." }
    })
  ),
  logoUrl: optional(HttpsUrl),
  supportEmail: optional(
    Schema.String.pipe(
      Schema.pattern(/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u, { message: () => "must be an e-mail address" })
    ).annotations({
      jsonSchema: { type: "string", maxLength: 254, description: "Where customers of the platform find help." }
    })
  ),
  supportUrl: optional(HttpsUrl),
  returnOrigins: optional(
    boundedArray(ReturnOrigin, { min: 1, max: 50 }).annotations({
      description:
        "The origins to which customers may return from their provider; without it those of the platform's servers may name any https page, and those of a browser only its own origin."
    })
  ),
  controlProof: Schema.optionalWith(ControlProof, { default: () => "required" }),
  domainConnectTemplates: optional(
    boundedArray(TemplateText, { min: 1, max: 10 }).annotations({
      description:
        "The templates of Domain Connect that DNS providers have of the platform, each the text of its file in the template repository. An intent takes the first that gives exactly its records."
    })
  ),
  recordTemplate: optional(RecordTemplate)
})
export type ApplicationSettings = typeof ApplicationSettings.Type

export const applicationSettingNames = Struct.keys(ApplicationSettings.fields)

const { domainConnectTemplates, logoUrl, name, recordTemplate, returnOrigins, supportEmail, supportUrl } =
  ApplicationSettings.fields

/** A replacement of all settings, which may leave out `controlProof`. */
export const ApplicationSettingsReplacement = Schema.Struct({
  ...ApplicationSettings.fields,
  controlProof: optional(ControlProof)
})

/** A change of single settings of an application: `null` removes one, or brings its default back. */
export const ApplicationSettingsChange = Schema.Struct({
  name: removable(name.from),
  logoUrl: removable(logoUrl.from),
  supportEmail: removable(supportEmail.from),
  supportUrl: removable(supportUrl.from),
  returnOrigins: removable(returnOrigins.from),
  controlProof: removable(ControlProof),
  domainConnectTemplates: removable(domainConnectTemplates.from),
  recordTemplate: removable(recordTemplate.from)
})
export type ApplicationSettingsChange = typeof ApplicationSettingsChange.Type

export const changeApplicationSettings = (
  settings: ApplicationSettings,
  change: ApplicationSettingsChange
): ApplicationSettings => decodeSettings(mergeSettings(settings, change))

const decodeSettings = Schema.decodeUnknownSync(ApplicationSettings)

export const defaultApplicationSettings: ApplicationSettings = ApplicationSettings.make({})

const profileNames = ["name", "logoUrl", "supportEmail", "supportUrl"] as const

/** The profile of the platform that customers of an application see. */
export const PlatformProfile = Schema.Struct(Struct.pick(ApplicationSettings.fields, ...profileNames)).annotations({
  identifier: "PlatformProfile"
})

export const profileOf = (settings: ApplicationSettings): typeof PlatformProfile.Type =>
  Struct.pick(settings, ...profileNames)

/** A product of a platform, as the API shows it to administrators. */
export const Application = Schema.Struct({
  id: ApplicationId,
  ...ApplicationSettings.fields,
  controlProof: ControlProof,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "Application" })
export type Application = typeof Application.Type
