import { Option, Schema, SchemaAST } from "effect"

/** A request field with its default in a schema of its own: generators make a property with a default required. */
export const documentDefault = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  { identifier, value }: { readonly identifier: string; readonly value: NoInfer<A> }
): Schema.Schema<A, I, R> =>
  schema.annotations({
    [SchemaAST.JSONIdentifierAnnotationId]: identifier,
    ...Option.match(SchemaAST.getJSONSchemaAnnotation(schema.ast), {
      onNone: () => ({ default: value }),
      onSome: (jsonSchema) => ({ jsonSchema: { ...jsonSchema, default: value } })
    })
  })

/** A choice that is off if a request leaves it out. */
export const FalseByDefault = documentDefault(
  Schema.Boolean.annotations({ description: "A choice that is off if it is left out." }),
  { identifier: "FalseByDefault", value: false }
)

/** A choice that is on if a request leaves it out. */
export const TrueByDefault = documentDefault(
  Schema.Boolean.annotations({ description: "A choice that is on if it is left out." }),
  { identifier: "TrueByDefault", value: true }
)
