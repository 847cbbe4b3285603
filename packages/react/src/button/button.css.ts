import { accentTokens } from '../styles/tokens.css.ts'

// Every text the button may show lies in the same cell, so that it is as wide as the widest from the beginning.
export const buttonCss: string = `
.latchkey-button{color-scheme:light dark;${accentTokens}
all:unset;box-sizing:border-box;display:inline-grid;grid-template:44px/auto;place-items:center;min-inline-size:164px;
padding-inline:16px;border-radius:var(--latchkey-button-radius,14px);background:var(--_accent);color:var(--_on-accent);
font:550 16px/1 var(--_font);white-space:nowrap;cursor:pointer;user-select:none;-webkit-tap-highlight-color:transparent;
transition:background .15s,scale .15s}
.latchkey-button[data-theme=light]{color-scheme:light}
.latchkey-button[data-theme=dark]{color-scheme:dark}
.latchkey-button>*,.latchkey-button::before,.latchkey-button::after{grid-area:1/1}
.latchkey-button::before{content:attr(data-label);visibility:hidden}
.latchkey-button::after{content:attr(data-busy);visibility:hidden}
.latchkey-button:hover{background:color-mix(in oklab,var(--_accent) 90%,var(--_text))}
.latchkey-button:active{scale:.98}
.latchkey-button:focus-visible{outline:2px solid var(--_accent);outline-offset:2px}
.latchkey-button[data-account]{padding-inline:8px 14px;background:var(--_fill);color:var(--_text);
box-shadow:inset 0 0 0 1px var(--_line)}
.latchkey-button[data-account]:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
.latchkey-button-account{display:grid;grid-template-columns:28px 1fr auto;gap:1px 10px;align-items:center;
inline-size:0;min-inline-size:100%;text-align:start;transition:opacity .15s}
[data-account=reconnecting]>.latchkey-button-account{opacity:.6}
.latchkey-button-avatar{grid-row:span 2;block-size:28px;border-radius:50%}
.latchkey-button-address{grid-column:2;font:550 14px/17px var(--_font);font-variant-numeric:tabular-nums}
.latchkey-button-network{grid-column:2;overflow:hidden;color:var(--_muted);font:450 12px/15px var(--_font);text-overflow:ellipsis}
.latchkey-button[data-balance]{min-inline-size:252px}
.latchkey-button-balance{grid-area:1/3/3;font:550 14px/1 var(--_font);font-variant-numeric:tabular-nums}
@media(prefers-reduced-motion:reduce){.latchkey-button,.latchkey-button *{transition:none}}
@media(forced-colors:active){.latchkey-button{border:1px solid ButtonBorder}.latchkey-button-avatar{forced-color-adjust:none}}`
