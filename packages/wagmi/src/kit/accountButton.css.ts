// The values of the tokens are those that docs/theming.md documents. The button of @latchkey/react has a fixed width and no
// name, so its styles don't fit.
export const accountButtonCss: string = `.latchkey-kit{display:inline-flex;flex-wrap:wrap;gap:12px;align-items:center}
.latchkey-account{all:unset;color-scheme:light dark;box-sizing:border-box;display:inline-flex;align-items:center;gap:8px;block-size:44px;
padding-inline:12px;border-radius:var(--latchkey-button-radius,14px);
--_fill:var(--latchkey-fill,light-dark(oklch(.967 .003 264),oklch(.252 .013 264)));
--_text:var(--latchkey-text,light-dark(oklch(.23 .014 264),oklch(.965 .004 264)));
background:var(--_fill);color:var(--_text);
box-shadow:inset 0 0 0 1px var(--latchkey-line,light-dark(oklch(.92 .005 264),oklch(.31 .014 264)));
font:550 14px/1 var(--latchkey-font,system-ui,sans-serif);
font-variant-numeric:tabular-nums;white-space:nowrap;cursor:pointer;user-select:none;-webkit-tap-highlight-color:transparent;
&[data-theme=light]{color-scheme:light}
&[data-theme=dark]{color-scheme:dark}
&[data-account=reconnecting]{opacity:.6}
&:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
&:focus-visible{outline:2px solid var(--latchkey-accent,light-dark(oklch(.45 .19 264),oklch(.8 .11 264)));outline-offset:2px}
@media(forced-colors:active){border:1px solid}}
.latchkey-avatar{display:inline-block;flex:none;overflow:hidden;border-radius:50%;forced-color-adjust:none}
.latchkey-avatar>img{display:block;inline-size:100%;block-size:100%;object-fit:cover}
.latchkey-chain{display:inline-grid;place-items:center;flex:none;overflow:hidden;font:650 12px/1 system-ui,sans-serif;
color-scheme:light dark;
background:var(--latchkey-fill,light-dark(oklch(.967 .003 264),oklch(.252 .013 264)))}
.latchkey-chain>img{inline-size:100%;block-size:100%;object-fit:cover}
.latchkey-chain[data-unsupported=true]{outline:2px solid var(--latchkey-danger,light-dark(oklch(.45 .17 25),oklch(.8 .12 22)))}
.latchkey-kit[data-chain=name] [data-network]>span>:is(i,img){display:none}
.latchkey-kit[data-chain=icon] [data-network=""]{padding-inline:10px}
.latchkey-kit[data-chain=icon] [data-network=""]>span{gap:0;font-size:0}
.latchkey-kit[data-chain=icon] [data-network=""]>span>i{font-size:12px}`
