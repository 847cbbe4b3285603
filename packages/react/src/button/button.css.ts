import { accentTokens } from '../styles/tokens.css.ts'

// All texts of the button share one grid cell, so that the button is always as wide as its longest text.
export const buttonCss: string = `.latchkey-button{all:unset;color-scheme:light dark;${accentTokens}
box-sizing:border-box;display:inline-grid;grid-template:44px/auto;place-items:center;min-inline-size:176px;padding-inline:12px;
border-radius:var(--latchkey-button-radius,14px);background:var(--_accent);color:var(--_on-accent);font:550 16px/1 var(--_font);
white-space:nowrap;cursor:pointer;user-select:none;-webkit-tap-highlight-color:transparent;transition:background .15s,scale .15s;
&[data-theme=light]{color-scheme:light}
&[data-theme=dark]{color-scheme:dark}
&>*,&::before,&::after{grid-area:1/1}
&::before{content:attr(data-label);visibility:hidden}
&::after{content:attr(data-busy);visibility:hidden}
&:hover{background:color-mix(in oklab,var(--_accent) 90%,var(--_text))}
&:active{scale:.98}
&:focus-visible{outline:2px solid var(--_accent);outline-offset:2px}
&[data-account]{background:var(--_fill);color:var(--_text);box-shadow:inset 0 0 0 1px var(--_line)}
&[data-account]:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
&[data-account=reconnecting]>span{opacity:.6}
&[data-account]>span{display:grid;grid-template-columns:28px 1fr auto;gap:1px 10px;align-items:center;inline-size:0;min-inline-size:100%;
font-size:14px;line-height:17px;text-align:start;font-variant-numeric:tabular-nums}
&[data-balance]{min-inline-size:276px}
&[data-size=sm]{grid-template-rows:36px;border-radius:var(--latchkey-button-radius,12px);font-size:14px}
&:disabled{opacity:.5;cursor:default}
i{grid-row:span 2;block-size:28px;border-radius:50%;forced-color-adjust:none}
small{grid-area:2/2;overflow:hidden;color:var(--_muted);font:450 12px/15px var(--_font);text-overflow:ellipsis}
b{grid-area:1/3/3;font-weight:550}
@media(prefers-reduced-motion:reduce){transition:none}
@media(forced-colors:active){border:1px solid}}`
