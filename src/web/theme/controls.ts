import { css } from "lit"

/** Buttons, fields, and the authorization methods. */
export const controls = css`
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75em;
    margin-top: 2em;
  }
  .centre + .actions {
    justify-content: center;
  }
  button {
    font: inherit;
    cursor: pointer;
  }
  .main,
  .side {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: max(2.875em, var(--target));
    padding: 0.5em 1.375em;
    border: 1px solid transparent;
    border-radius: var(--radius);
    font-weight: 600;
    line-height: 1.3;
    text-decoration: none;
    transition:
      background 120ms,
      border-color 120ms;
  }
  .main {
    background: var(--accent);
    color: var(--on-accent);
  }
  .main:hover {
    background: color-mix(in srgb, var(--accent) 88%, var(--text));
  }
  .side {
    border-color: var(--line);
    background: var(--surface);
    color: var(--text);
  }
  .side:hover,
  .copy:hover {
    border-color: var(--edge);
  }
  .copy {
    display: inline-flex;
    align-items: center;
    gap: 0.45em;
    min-block-size: var(--target);
    padding: 0.15em 0.75em;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.6);
    background: var(--surface);
    color: var(--text);
    font-size: 0.8125em;
    white-space: nowrap;
  }
  .link {
    min-block-size: var(--target);
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  :is(button, a, input, select, textarea, summary):focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, var(--surface));
    outline-offset: 2px;
  }
  .field {
    margin: 1em 0;
  }
  .field label {
    display: block;
    margin-bottom: 0.4em;
    font-weight: 600;
    font-size: 0.9375em;
  }
  .field :is(input, select, textarea) {
    width: 100%;
    min-block-size: max(2.875em, var(--target));
    padding: 0.5em 0.75em;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) * 0.75);
    background: var(--surface);
    color: var(--text);
    font: inherit;
  }
  .field :is(input, textarea) {
    direction: ltr;
  }
  .field input::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  .field [aria-invalid="true"] {
    border-color: var(--bad);
  }
  .wrong {
    margin-top: 0.45em;
    color: var(--bad);
    font-size: 0.875em;
  }
  .check {
    display: flex;
    gap: 0.75em;
    align-items: center;
    min-block-size: var(--target);
    margin-top: 0.5em;
  }
  .check input {
    flex: none;
    width: 1.5em;
    height: 1.5em;
    margin: 0;
    accent-color: var(--accent);
  }
  .way {
    padding: 1.5em;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .way > p {
    margin: 0.25em 0 1em;
    color: var(--muted);
  }
`
