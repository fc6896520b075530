import type { Page } from "playwright-core"

/** What is out of place in the component as it is drawn now: a sentence for each fault. */
export const inspectLayout = (page: Page): Promise<ReadonlyArray<string>> => page.evaluate(inspection)

/** How much of the page has moved since it was opened without the customer's doing (Cumulative Layout Shift). */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: "layout-shift", buffered: true })
    setTimeout(() => resolve(observer.takeRecords().reduce((sum, { hadRecentInput, value }) => sum + (hadRecentInput ? 0 : value), 0)))
  })`)

/** Runs in the page. */
const inspection = `(() => {
  const root = document.querySelector("domain-connection").shadowRoot
  const faults = []
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.closest(".unseen") === null
  const nameOf = (element) => element.tagName.toLowerCase() + "." + element.className + " “" + element.textContent.trim().slice(0, 30) + "”"

  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (sideways > 0) faults.push("the page scrolls sideways by " + sideways)

  const controls = [...root.querySelectorAll("a, button, input, select, textarea, summary")].filter(shown)
  for (const control of controls) {
    const target = control.closest("label") ?? control
    const { height, width } = target.getBoundingClientRect()
    if (height < 43.9 || width < 43.9) faults.push(nameOf(target) + " is only " + width + "×" + height)
    target.scrollIntoView({ block: "center", behavior: "instant" })
    const box = target.getBoundingClientRect()
    const top = root.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (top === null || !(target.contains(top) || top.contains(target))) faults.push(nameOf(target) + " is covered by " + (top === null ? "nothing" : nameOf(top)))
  }

  for (const element of root.querySelectorAll("h2, h3, p, dt, dd, code, button, a, li, label, summary")) {
    if (!shown(element)) continue
    const { left, right } = element.getBoundingClientRect()
    if (left < -0.5 || right > document.documentElement.clientWidth + 0.5) faults.push(nameOf(element) + " is outside of the page")
    const { overflowX } = getComputedStyle(element)
    if (overflowX !== "visible" && overflowX !== "auto" && element.scrollWidth > element.clientWidth + 1) faults.push(nameOf(element) + " is cut")
  }

  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
  const context = canvas.getContext("2d", { willReadFrequently: true })
  const paint = (...colours) => {
    context.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
    }
    return [...context.getImageData(0, 0, 1, 1).data]
  }
  const backgroundsOf = (element) => {
    const colours = []
    for (let at = element; at; at = at.parentElement ?? (at.parentNode instanceof ShadowRoot ? at.parentNode.host : null))
      colours.unshift(getComputedStyle(at).backgroundColor)
    return ["Canvas", ...colours]
  }
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (high + 0.05) / (low + 0.05)
  }
  const edged = [...root.querySelectorAll("input:not([type=checkbox], [type=radio]), textarea, select, button.side, button.main, .bar li")].filter(shown)
  for (const element of edged) {
    const around = backgroundsOf(element.parentElement ?? root.host)
    const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element)
    const outside = paint(...around)
    const edge = parseFloat(borderTopWidth) > 0 ? contrast(paint(...around, borderTopColor), outside) : 1
    const best = Math.max(edge, contrast(paint(...around, backgroundColor), outside))
    if (!element.disabled && best < 3) faults.push(nameOf(element) + " stands out by only " + best.toFixed(2) + ":1")
  }
  for (const element of root.querySelectorAll("input[placeholder]")) {
    const behind = backgroundsOf(element)
    const { color, opacity } = getComputedStyle(element, "::placeholder")
    const seen = opacity === "1" ? contrast(paint(...behind, color), paint(...behind)) : 1
    if (seen < 4.5) faults.push(nameOf(element) + " has a placeholder of only " + seen.toFixed(2) + ":1")
  }
  return faults
})()`
