import { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { type ErrorDetail, toJsonPointer } from "../../domain/ErrorDetail.ts"

/** Says of each query parameter that was refused and is given more than once that this is what is wrong with it. */
export const explainRepeatedParameters = (
  details: ReadonlyArray<ErrorDetail>,
  request: HttpServerRequest.HttpServerRequest
): ReadonlyArray<ErrorDetail> => {
  const url = HttpServerRequest.toURL(request)
  if (Option.isNone(url) || url.value.search === "") return details
  const byPointer = Map.groupBy(url.value.searchParams.keys(), (name) => toJsonPointer([name]))
  return details.map((detail) =>
    (byPointer.get(detail.pointer) ?? []).length > 1
      ? { pointer: detail.pointer, code: "parameter_repeated", message: "is given more than once; give it once" }
      : detail
  )
}
