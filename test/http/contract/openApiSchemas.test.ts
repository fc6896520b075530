import { expect } from "bun:test"
import { Effect, Record } from "effect"
import { endpoints } from "./declaredEndpoints.ts"
import { component } from "./declaredErrorBodies.ts"
import { resolveResponse } from "../../support/documentedErrors.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post, send } from "../../support/testApi.ts"
import { credentialsByKind } from "../support/credentials.ts"

const served = Effect.flatMap(send("/openapi.json"), jsonOf)

/** Every object within a document, with its JSON pointer. */
const objectsIn = (value: any, pointer = ""): ReadonlyArray<readonly [pointer: string, object: any]> =>
  typeof value !== "object" || value === null
    ? []
    : [[pointer, value], ...Object.entries(value).flatMap(([key, child]) => objectsIn(child, `${pointer}/${key}`))]

/** Whether a setting may be `null`, which removes it. */
const isRemovable = ({ anyOf }: any): boolean => anyOf?.length === 2 && anyOf[1].type === "null"

/** Whether a property refers to a named schema, and has words of its own. */
const isDescribedReference = ({ allOf, description }: any): boolean =>
  allOf?.length === 1 && "$ref" in allOf[0] && typeof description === "string"

/** The schema itself, or the one to which it refers. */
const resolve = (document: any, schema: any): any => {
  const reference = schema.$ref ?? schema.allOf?.[0].$ref
  return reference === undefined ? schema : document.components.schemas[reference.split("/").at(-1)]
}

withLayer("the schemas of the OpenAPI document", apiInMemory(), (live) => {
  live("have one of errors, to which every response with an error refers", () =>
    Effect.gen(function* () {
      const document = yield* served
      const { components, paths } = document
      const errors = Object.entries<any>(components.schemas).filter(
        ([, { properties }]) => properties?.documentationUrl
      )
      expect(errors.map(([name]) => name)).toEqual(["Error"])
      const failures = endpoints.flatMap(({ method, path }) =>
        Object.entries<any>(paths[path][method].responses).filter(([status]) => Number(status) >= 400)
      )
      expect(failures.length).toBeGreaterThan(endpoints.length)
      for (const [, response] of failures)
        expect(
          resolveResponse(document, response).content["application/json"].schema.properties.error.allOf[0]
        ).toEqual(component("Error"))
    })
  )

  live("have no title, and no description that is not a sentence", () =>
    Effect.gen(function* () {
      const { components, paths } = yield* served
      const texts = objectsIn({ paths, schemas: components.schemas }).flatMap(([pointer, { description, title }]) => [
        ...(typeof title === "string" ? [[pointer, title]] : []),
        ...(typeof description === "string" && !/^[A-Z`].*[.?]$/s.test(description) ? [[pointer, description]] : [])
      ])
      expect(texts).toEqual([])
    })
  )

  live("show the default of each field that a request may leave out", () =>
    Effect.gen(function* () {
      const document = yield* served
      const { paths } = document
      const requests = Object.entries<any>(document.components.schemas).filter(([name]) =>
        /Request$|Options$/.test(name)
      )
      const fields = requests.flatMap(([name, { properties = {} }]) =>
        Object.entries<any>(properties)
          .map(([field, schema]) => [`${name}.${field}`, resolve(document, schema).default] as const)
          .filter(([, value]) => value !== undefined)
      )
      expect(Object.fromEntries(fields)).toEqual({
        "AdvancedDmarcOptions.inheritRootDmarc": false,
        "CreateConnectionRequest.allowDuplicate": false,
        "UpdateConnectionRequest.allowDuplicate": false,
        "ExistingRecordPolicyRequest.validateDmarc": true,
        "ExistingRecordPolicyRequest.validateCAA": true,
        "IntentRecordRequest.ttl": 3600,
        "IntentRecordRequest.priority": 10,
        "IntentRecordRequest.optional": false,
        "CreateApplicationRequest.controlProof": "required",
        "ReplaceApplicationRequest.controlProof": "required",
        "CreateApiKeyRequest.scopes": ["connections:read", "connections:write", "tokens:issue"],
        "RetryConnectionsRequest.dryRun": false,
        "RotationRequest.overlapSeconds": 86_400
      })
      const limits = endpoints
        .flatMap(({ method, path }): ReadonlyArray<any> => paths[path][method].parameters)
        .filter(({ name }) => name === "limit")
      expect([...new Set(limits.map(({ schema }) => schema.default))]).toEqual([50])
    })
  )

  live("show the defaults that the service fills in", () =>
    Effect.gen(function* () {
      const { schemas } = (yield* served).components
      const { key } = yield* issueKey()
      const records = [{ host: "@", type: "MX", value: "mail.example.net" }]
      const created = yield* post("/v1/connections", key, { intent: { domain: "defaults.example.com", records } })
      const { intent } = (yield* jsonOf(created)).connection
      expect(intent.records[0]).toMatchObject({
        ttl: schemas.RequestedTtl.default,
        priority: schemas.RequestedPriority.default,
        optional: schemas.FalseByDefault.default
      })
      const policy = Record.map(schemas.ExistingRecordPolicyRequest.properties, () => schemas.TrueByDefault.default)
      expect(intent.existingRecordPolicy).toEqual(policy)
    })
  )

  live("have a default only where they are referred to: of a property itself, generators make it required", () =>
    Effect.gen(function* () {
      const properties = objectsIn((yield* served).components.schemas).filter(([pointer]) =>
        /\/properties\/[^/]+$/.test(pointer)
      )
      expect(properties.filter(([, schema]) => "default" in schema).map(([pointer]) => pointer)).toEqual([])
    })
  )

  live("have a union of credentials by their kind, with the fields that the service takes", () =>
    Effect.gen(function* () {
      const document = yield* served
      const { discriminator, oneOf } = document.components.schemas.CredentialInput
      expect(discriminator.propertyName).toBe("kind")
      expect(oneOf.map(({ $ref }: any) => $ref)).toEqual(Object.values(discriminator.mapping))
      const documented = Object.entries(discriminator.mapping).map(([kind, $ref]) => {
        const { properties, required } = resolve(document, { $ref })
        expect([properties.kind.enum, required]).toEqual([[kind], Object.keys(properties)])
        return [kind, required.slice(1)]
      })
      expect(Object.fromEntries(documented)).toEqual(
        Object.fromEntries(credentialsByKind.map(([kind, fields]) => [kind, Object.keys(fields)]))
      )
    })
  )

  live("refers only to existing schemas, and has no unused schema", () =>
    Effect.gen(function* () {
      const document = yield* served
      const references = objectsIn(document).flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []))
      const components = ["schemas", "responses", "headers", "examples"].flatMap((kind) =>
        Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`)
      )
      expect([...new Set(references)].toSorted()).toEqual(components.toSorted())
    })
  )

  live("refers to named schemas instead of repeating them", () =>
    Effect.gen(function* () {
      const all = objectsIn((yield* served).components.schemas)
      const words = all.filter(([, object]) => object.enum?.length > 1 && object.type === "string")
      const enums = words.map(([, object]) => object.enum.join())
      expect(enums.filter((values, at) => enums.indexOf(values) !== at)).toEqual([])
      const unions = all.filter(([, object]) => "anyOf" in object || "oneOf" in object || "allOf" in object)
      const others = unions.filter(([, object]) => !isRemovable(object) && !isDescribedReference(object))
      expect(others.map(([pointer]) => pointer)).toEqual(["/CredentialInput"])
      expect(all.filter(([, object]) => "$ref" in object && Object.keys(object).length > 1)).toEqual([])
    })
  )

  live("gives every time a format and every property a type", () =>
    Effect.gen(function* () {
      const { schemas } = (yield* served).components
      const times = objectsIn(schemas).filter(([pointer]) => pointer.endsWith("At"))
      expect(times.map(([, schema]) => schema)).toEqual(times.map(() => component("Timestamp")))
      expect(schemas.Timestamp).toMatchObject({ type: "string", format: "date-time" })
      expect(schemas.Ttl).toMatchObject({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 })
      const properties = objectsIn(schemas).filter(([pointer]) => /\/properties\/[^/]+$/.test(pointer))
      expect(
        properties
          .filter(
            ([, schema]) =>
              !("type" in schema || "$ref" in schema || isRemovable(schema) || isDescribedReference(schema))
          )
          .map(([pointer]) => pointer)
      ).toEqual([])
    })
  )

  live("forbids unknown properties except in maps", () =>
    Effect.gen(function* () {
      const { schemas } = (yield* served).components
      const objects = objectsIn(schemas).filter(([, schema]) => schema.type === "object" && "properties" in schema)
      const open = objects.filter(([, schema]) => schema.additionalProperties !== false)
      expect(open.map(([pointer]) => pointer)).toEqual([
        "/Connection/properties/metadata",
        "/AdvancedDmarcOptions/properties/overrideTags",
        "/AdvancedDmarcOptions/properties/addTagsIfNotExist",
        "/Provider/properties/domainConnect/properties/variables",
        "/CreateConnectionRequest/properties/metadata",
        "/UpdateConnectionRequest/properties/metadata/anyOf/0"
      ])
    })
  )
})
