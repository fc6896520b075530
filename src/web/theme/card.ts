import { css } from "lit"

/** The card, its headings and texts. */
export const card = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  .card {
    padding: 2.5em;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 1.5);
    background: var(--surface);
    box-shadow: var(--dc-shadow, 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 6%));
  }
  .way + .way {
    margin-top: 1em;
  }
  .step {
    margin: 0 0 1.5em;
    color: var(--muted);
    font-size: 0.875em;
  }
  .bar {
    display: flex;
    gap: 0.375em;
    margin-bottom: 0.625em;
  }
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h2 {
    font-size: 1.625em;
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.015em;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  h2:focus {
    outline: none;
  }
  h3 {
    font-size: 1em;
    font-weight: 600;
  }
  .lead {
    margin: 0.5em 0 1.75em;
    color: var(--muted);
    text-wrap: pretty;
    overflow-wrap: anywhere;
  }
  small {
    color: var(--muted);
    font-size: 0.8125em;
    font-weight: 400;
  }
  .lead + p:not(.quiet) {
    margin: -0.75em 0 1.5em;
  }
  .quiet {
    margin-top: 1.45em;
    color: var(--muted);
    font-size: 0.875em;
  }
  .centre {
    text-align: center;
  }
  .centre .lead {
    max-width: 30em;
    margin-inline: auto;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  code {
    font: 0.875em/1.5 var(--dc-font-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
    direction: ltr;
    unicode-bidi: isolate;
    overflow-wrap: anywhere;
  }
  a {
    display: inline-flex;
    align-items: center;
    min-inline-size: var(--target);
    min-block-size: var(--target);
    color: var(--accent);
    overflow-wrap: anywhere;
    text-underline-offset: 0.2em;
  }
  .icon {
    width: 1em;
    height: 1em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  a .icon {
    margin-inline-start: 0.25em;
  }
`
