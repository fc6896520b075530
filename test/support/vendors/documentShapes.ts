/** Shapes of OpenAPI in few words, for a vendor whose document lacks them. */
export const text = { type: "string" }

export const integer = { type: "integer" }

export const listOf = (items: object, more: object = {}) => ({ type: "array", items, ...more })

/** An object that has all these members. */
export const objectOf = (properties: object, more: object = {}) => {
  const required = Object.keys(properties)
  return { type: "object", required, properties, ...more }
}

/** An answer, or the body of a request. */
export const ofJson = (schema: object) => ({ content: { "application/json": { schema } } })

/** The body of an operation that needs one. */
export const takes = (schema: object) => ({ requestBody: { required: true, ...ofJson(schema) } })

/** A parameter of the query. */
export const inQuery = (name: string, schema: object = text) => ({ name, in: "query", schema })
