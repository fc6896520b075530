import { html, nothing, type TemplateResult } from "lit"
import { addressOf, type PlatformDocument } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { providersOf } from "./sentences.ts"

/** What stands above every step: who asks, what will be connected and where it is managed, and the named steps. */
export const renderFrame = (position: number | undefined, view: ViewModel): TemplateResult => {
  const { connection, platform, words } = view
  const provider = providersOf(view)
  return html`<header class="frame">
    ${renderPlatform(platform)}
    <p class="about" part="about">
      <bdi>${addressOf(connection)}</bdi>
      ${provider === undefined ? nothing : html`<small>${interpolate(words.managedAt, { provider })}</small>`}
    </p>
    ${position === undefined || connection.direction === "restore" ? nothing : renderBar(position, view)}
  </header>`
}

/** The name and the logo of the platform; the logo has its place before it is loaded, and leaves nothing if it cannot be. */
export const renderPlatform = ({ logoUrl, name }: PlatformDocument): TemplateResult | typeof nothing =>
  name === undefined && logoUrl === undefined
    ? nothing
    : html`<div class="top platform" part="platform">
        <b>${name}</b>
        ${
          logoUrl === undefined
            ? nothing
            : html`<img
                src=${logoUrl}
                alt=${name ?? ""}
                referrerpolicy="no-referrer"
                part="logo"
                @error=${({ target }: Event) => target instanceof Element && target.remove()}
              />`
        }
      </div>`

const renderBar = (position: number, { words }: ViewModel): TemplateResult => {
  const names = [words.stepCheck, words.stepReview, words.stepConnect, words.stepLive]
  return html`<ol class="bar" part="step" aria-label=${words.steps}>
    ${names.map(
      (name, index) =>
        html`<li class=${index < position ? "past" : ""} aria-current=${index + 1 === position ? "step" : nothing}>
          <span>${name}</span>
        </li>`
    )}
  </ol>`
}
