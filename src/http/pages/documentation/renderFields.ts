import { escapeHtml, renderProse } from "../html.ts"
import {
  alternativesOf,
  type ApiDocument,
  type ApiParameter,
  fieldsOf,
  isSchema,
  type JsonSchema,
  referenceOf,
  requiredFieldsOf,
  resolveSchema
} from "./ApiDocument.ts"
import { objectPath } from "./paths.ts"

export const renderParameters = (document: ApiDocument, parameters: ReadonlyArray<ApiParameter>): string =>
  renderList(
    parameters.map(({ description, name, required, schema }) =>
      renderField(document, {
        name,
        schema,
        isRequired: required,
        description: description || describe(schema),
        more: ""
      })
    )
  )

/** Renders the fields of an object as a list. Objects that it contains are opened in it, each once, or only linked. */
export const renderFields = (document: ApiDocument, schema: JsonSchema, opened?: ReadonlyArray<string>): string => {
  const required = requiredFieldsOf(schema)
  return renderList(
    fieldsOf(schema).map(([name, field]) =>
      renderField(document, {
        name,
        schema: field,
        isRequired: required.includes(name),
        description: describe(field) || describe(resolveSchema(document, field)),
        more: renderContained(document, field, opened)
      })
    )
  )
}

/** Renders a schema that may be a union: each alternative, with its fields if it has any. */
export const renderAlternatives = (
  document: ApiDocument,
  schema: JsonSchema,
  opened?: ReadonlyArray<string>
): string => {
  const alternatives = alternativesOf(resolveSchema(document, schema))
  const render = (alternative: JsonSchema): string => {
    const resolved = resolveSchema(document, alternative)
    return fieldsOf(resolved).length > 0
      ? renderFields(document, resolved, opened)
      : `<p class="type">${renderType(document, alternative)}</p>`
  }
  if (alternatives.length === 1) return alternatives.map(render).join("")
  return alternatives
    .map((alternative, index) => {
      const description = describe(resolveSchema(document, alternative))
      const name = referenceOf(alternative) === undefined ? `${index + 1}` : renderType(document, alternative)
      return `<div class="alternative"><p>Alternative ${name}</p><p>${renderProse(description)}</p>${render(alternative)}</div>`
    })
    .join("")
}

interface RenderedField {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly description: string
  readonly more: string
}

const renderList = (items: ReadonlyArray<string>): string =>
  items.length === 0 ? "" : `<ul class="fields">${items.join("")}</ul>`

const renderField = (document: ApiDocument, { description, isRequired, more, name, schema }: RenderedField): string =>
  `<li><p><code class="name">${escapeHtml(name)}</code> <span class="type">${renderType(document, schema)}</span>${
    isRequired ? ' <span class="required">required</span>' : ""
  }</p>${description === "" ? "" : `<p>${renderProse(description)}</p>`}${more}</li>`

/** The fields of the objects that a field contains. */
const renderContained = (
  document: ApiDocument,
  field: JsonSchema,
  opened: ReadonlyArray<string> | undefined
): string => {
  const element = isSchema(field["items"]) ? field["items"] : field
  const name = referenceOf(element)
  if (name === undefined) return fieldsOf(element).length > 0 ? renderFields(document, element, opened) : ""
  const isShown = opened?.includes(name) !== false
  const resolved = resolveSchema(document, element)
  const alternatives = alternativesOf(resolved).map((alternative) => resolveSchema(document, alternative))
  if (isShown || alternatives.flatMap(fieldsOf).length === 0) return ""
  const fields = renderAlternatives(document, resolved, [...(opened ?? []), name])
  return `<details><summary>Fields of ${escapeHtml(name)}</summary>${fields}</details>`
}

const describe = ({ description }: JsonSchema): string =>
  typeof description === "string" && /[.?:]$/.test(description) ? description : ""

/** Describes the values of a schema in a few words, with links to the objects and choices that it refers to. */
export const renderType = (document: ApiDocument, schema: JsonSchema): string => {
  const name = referenceOf(schema)
  if (name !== undefined) {
    const resolved = resolveSchema(document, { $ref: name })
    return isPlain(resolved) ? renderType(document, resolved) : `<a href="${objectPath(name)}">${escapeHtml(name)}</a>`
  }
  const alternatives = alternativesOf(schema)
  if (alternatives[0] !== schema)
    return alternatives.map((alternative) => renderType(document, alternative)).join(" or ")
  if (Array.isArray(schema["enum"]))
    return schema["enum"].map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(" or ")
  if (isSchema(schema["items"])) return `array of ${renderType(document, schema["items"])}`
  if (isSchema(schema["additionalProperties"])) return `map to ${renderType(document, schema["additionalProperties"])}`
  const limits = limitKeywords.flatMap(([keyword, describe]) =>
    schema[keyword] === undefined ? [] : [escapeHtml(describe(String(schema[keyword])))]
  )
  const type = typeof schema["type"] === "string" ? schema["type"] : "any value"
  return [escapeHtml(type), ...limits].join(", ")
}

/** Whether a schema is a text, a number or a choice of yes and no, which has no fields or values to look up. */
const isPlain = (schema: JsonSchema): boolean =>
  ["string", "integer", "number", "boolean"].includes(String(schema["type"])) && schema["enum"] === undefined

const limitKeywords: ReadonlyArray<readonly [keyword: string, describe: (value: string) => string]> = [
  ["format", (format) => format],
  ["minimum", (limit) => `at least ${limit}`],
  ["maximum", (limit) => `at most ${limit}`],
  ["maxLength", (limit) => `at most ${limit} characters`],
  ["default", (value) => `default ${value}`]
]
