import { css } from "lit"
import { card } from "./card.ts"
import { content } from "./content.ts"
import { controls } from "./controls.ts"
import { steps } from "./steps.ts"

/** On a phone, or in a narrow column of the page, tables are laid out as blocks. */
const narrowScreen = css`
  @container (max-width: 34em) {
    .card {
      padding: 1.5em min(1.25em, 6cqi);
    }
    h2 {
      font-size: 1.375em;
    }
    .actions {
      flex-direction: column;
    }
    .main,
    .side {
      width: 100%;
    }
    .way,
    .record,
    .notice {
      padding: min(1.125em, 5cqi);
    }
    thead {
      position: absolute;
      clip-path: inset(50%);
    }
    table,
    tbody,
    tr,
    th,
    td,
    th:first-child {
      display: block;
      width: auto;
    }
    tbody {
      padding: 0.75em 0;
    }
    th,
    td {
      padding: 0.25em 0;
    }
    td {
      display: grid;
      align-items: baseline;
      grid-template-columns: minmax(0, 5em) minmax(0, 1fr);
      gap: 0.5em;
    }
    .label {
      display: block;
      color: var(--muted);
      font-size: 0.8125em;
    }
    .badge {
      white-space: normal;
    }
    dd {
      flex-wrap: wrap;
    }
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.125em;
    }
    dt:not(:first-child) {
      margin-top: 0.625em;
    }
    tr:not(.name) {
      padding-top: 0.75em;
    }
    dt {
      line-height: 1.5;
    }
    .hint {
      grid-column: 1;
      margin: 0;
    }
  }
`

/**
 * Nothing that the page sets is inherited, except whether the element is seen and may be clicked. The element takes the
 * width of its parent; where the parent is as wide as its content, `::before` wants the full width and needs none.
 */
const host = css`
  :host,
  :host::before,
  .shell {
    all: initial;
    visibility: inherit;
    pointer-events: inherit;
    display: block;
  }
  :host {
    inline-size: 100%;
    min-inline-size: 0;
    max-inline-size: calc(44 * var(--dc-font-size, 16px));
  }
  :host::before {
    content: ". . . . . . . . . . . .";
    block-size: 0;
    overflow: hidden;
    visibility: hidden;
    word-spacing: calc(4 * var(--dc-font-size, 16px));
  }
  :host([hidden]) {
    display: none;
  }
  .shell {
    color-scheme: light dark;
    --accent: var(--dc-accent, light-dark(#3347c4, #a9b6ff));
    --on-accent: var(--dc-on-accent, light-dark(#ffffff, #10142e));
    --surface: var(--dc-surface, light-dark(#ffffff, #17181c));
    --raised: var(--dc-raised, light-dark(#f6f7f9, #202228));
    --text: var(--dc-text, light-dark(#191b22, #eceef4));
    --muted: var(--dc-muted, light-dark(#565b6b, #a5abbb));
    --line: var(--dc-line, light-dark(#868c9c, #70768a));
    --edge: var(--dc-edge, light-dark(#656b7b, #8f96a6));
    --good: var(--dc-good, light-dark(#12683b, #7fd6a5));
    --bad: var(--dc-bad, light-dark(#a32020, #ff9e95));
    --wait: var(--dc-wait, light-dark(#7a4b00, #f0c06a));
    --radius: var(--dc-radius, 12px);
    --target: 44px;
    color: var(--text);
    font: 400 var(--dc-font-size, medium) / 1.55 var(--dc-font, system-ui, sans-serif);
    overflow-wrap: break-word;
    text-align: start;
    text-size-adjust: 100%;
    container-type: inline-size;
  }
  :host([theme="light"]) .shell {
    color-scheme: light;
  }
  :host([theme="dark"]) .shell {
    color-scheme: dark;
  }
`

/** Where the device chooses the colours, a background shows nothing: what it meant gets a border or a system colour. */
const forcedColors = css`
  @media (forced-colors: active) {
    .badge,
    .slip,
    .sign,
    .problem,
    .notice {
      border: 1px solid CanvasText;
    }
    .bar li {
      border-top-color: GrayText;
    }
    .bar .past {
      border-top-color: Highlight;
    }
    .spinner {
      border-top-color: Highlight;
    }
  }
`

const motion = css`
  .spinner {
    display: inline-block;
    width: 2.75em;
    height: 2.75em;
    margin-bottom: 1.25em;
    border: 3px solid var(--line);
    border-top-color: var(--accent);
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  .spinner.small {
    width: 1em;
    height: 1em;
    margin: 0;
    border-width: 2px;
    border-color: currentColor;
    border-top-color: transparent;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 6s;
      animation-timing-function: steps(8);
    }
    .main,
    .side {
      transition: none;
    }
  }
`

/** The style sheet of the component. The page can override every colour, radius and font by a `--dc-…` property. */
export const theme = [host, card, controls, content, motion, narrowScreen, steps, forcedColors]
