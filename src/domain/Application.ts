import { Schema } from "effect"

/**
 * Whether a connection needs proof that whoever asked for it controls the domain before it becomes `active`: always, only
 * where another tenant of the application holds a host of the domain, or never.
 */
export const ControlProof = Schema.Literal("required", "when_contested", "off").annotations({
  identifier: "ControlProof"
})
export type ControlProof = typeof ControlProof.Type

/** What the platform has chosen for one of its applications. Rows store it as JSON; an absent field has its default. */
export const ApplicationSettings = Schema.Struct({
  controlProof: Schema.optionalWith(ControlProof, { default: () => "required" })
})
export type ApplicationSettings = typeof ApplicationSettings.Type

/** The settings of an application for which nothing was chosen. */
export const defaultApplicationSettings: ApplicationSettings = ApplicationSettings.make({})
