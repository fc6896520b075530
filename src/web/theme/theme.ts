import { css } from "lit"
import { card } from "./card.ts"
import { content } from "./content.ts"
import { controls } from "./controls.ts"
import { steps } from "./steps.ts"

/** On a phone, or in a narrow column of the page, tables are laid out as blocks. */
const narrowScreen = css`
  @container (max-width: 34rem) {
    .card {
      padding: 1.5rem 1.25rem;
    }
    h2 {
      font-size: 1.375rem;
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
      padding: 1.125rem;
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
      padding: 0.75rem 0;
    }
    th,
    td {
      padding: 0.25rem 0;
    }
    td {
      display: grid;
      grid-template-columns: 5rem 1fr;
      gap: 0.5rem;
    }
    .label {
      display: block;
      color: var(--muted);
      font-size: 0.8125rem;
    }
    dl {
      grid-template-columns: 1fr;
      gap: 0.125rem;
    }
    dt:not(:first-child) {
      margin-top: 0.625rem;
    }
    tr:not(.name) {
      padding-top: 0.75rem;
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

const properties = css`
  :host {
    color-scheme: light dark;
    --accent: var(--dc-accent, light-dark(#3347c4, #a9b6ff));
    --on-accent: var(--dc-on-accent, light-dark(#ffffff, #10142e));
    --surface: var(--dc-surface, light-dark(#ffffff, #17181c));
    --raised: var(--dc-raised, light-dark(#f6f7f9, #202228));
    --text: var(--dc-text, light-dark(#191b22, #eceef4));
    --muted: var(--dc-muted, light-dark(#565b6b, #a5abbb));
    --line: var(--dc-line, light-dark(#e2e4ea, #34373f));
    --edge: var(--dc-edge, light-dark(#868c9c, #7d8494));
    --good: var(--dc-good, light-dark(#12683b, #7fd6a5));
    --bad: var(--dc-bad, light-dark(#a32020, #ff9e95));
    --wait: var(--dc-wait, light-dark(#7a4b00, #f0c06a));
    --radius: var(--dc-radius, 12px);
    display: block;
    max-width: 44rem;
    color: var(--text);
    font: 400 1rem / 1.55 var(--dc-font, system-ui, sans-serif);
    text-align: start;
    container-type: inline-size;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
`

const motion = css`
  .spinner {
    display: inline-block;
    width: 2.75rem;
    height: 2.75rem;
    margin-bottom: 1.25rem;
    border: 3px solid var(--line);
    border-top-color: var(--accent);
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  .spinner.small {
    width: 1rem;
    height: 1rem;
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
export const theme = [properties, card, controls, content, motion, narrowScreen, steps]
