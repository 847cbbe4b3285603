/** Styles that the send, swap and buy views share. */
export const moneyCss: string = `
[role=alert]:not(:empty)+.stage{--_above:224px}
.pane:has(.footer){padding-block-end:0;scroll-padding-block-end:128px}
.footer{position:sticky;inset-block-end:0;z-index:2;display:flex;flex:none;flex-direction:column;gap:8px;
margin-inline:calc(-1*var(--_padding));padding:4px var(--_padding) var(--_padding);background:var(--_card)}
.footer::before{content:"";position:absolute;inset:-16px 0 100%;background:linear-gradient(#0000,var(--_card));pointer-events:none}
.footer>:empty{position:absolute}
@media(max-height:479px){.footer{position:relative}}
.money-box{display:flex;flex-direction:column;gap:4px;padding:12px;border-radius:max(10px,var(--_radius)*.66);
background:var(--_fill);box-shadow:inset 0 0 0 1px var(--_control)}
.money-box:focus-within{box-shadow:inset 0 0 0 2px var(--_accent)}
.money-line{display:flex;align-items:center;justify-content:space-between;gap:8px;min-block-size:32px}
.money-line[data-wraps]{flex-wrap:wrap}
.money-label{color:var(--_muted);font-size:14px;line-height:20px}
.amount-input{flex:1;min-inline-size:0;block-size:44px;padding:0;border:0;background:none;color:var(--_text);outline:none;appearance:none;
font:650 28px/36px var(--_font);letter-spacing:-.02em;font-variant-numeric:tabular-nums;text-align:start}
.amount-input[data-long]{font-size:20px;letter-spacing:-.01em}
.amount-input[data-long=most]{font-size:16px}
.amount-input::placeholder{color:var(--_muted);opacity:1}
:dir(rtl) .amount-input{text-align:end}
.token-button{display:flex;align-items:center;gap:8px;flex:none;max-inline-size:50%;min-block-size:44px;padding-inline:8px 12px;border-radius:22px;
background:var(--_card);font-weight:550;box-shadow:inset 0 0 0 1px var(--_line);transition:background .15s}
.token-button:hover{background:color-mix(in oklab,var(--_card) 94%,var(--_text))}
.token-button .mark{inline-size:28px;block-size:28px;border-radius:50%;font-size:14px}
.token-button>span:not(.mark){overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.token-button[data-empty]{max-inline-size:none;padding-inline-start:16px;background:var(--_accent);color:var(--_on-accent)}
.share-buttons{display:flex;flex-wrap:wrap;gap:8px}
.share-buttons>.small-button{flex:1}
.small-button{display:inline-flex;align-items:center;gap:4px;min-block-size:32px;min-inline-size:44px;padding:2px 8px;border-radius:10px;
color:var(--_muted);font-weight:550;font-size:14px;line-height:20px;position:relative;text-align:start}
.small-button::after{content:"";position:absolute;inset:-6px 0}
.small-button:hover{background:var(--_card);color:var(--_text)}
.small-button[data-strong]{color:var(--_text);background:var(--_card);justify-content:center}
.money-line>.small-button:first-child{margin-inline-start:-8px}
.facts{display:flex;flex-direction:column;gap:8px;padding-inline:4px;font-size:14px;line-height:20px}
.facts>div{display:flex;justify-content:space-between;gap:16px}
.facts dt{flex:none;max-inline-size:50%;color:var(--_muted)}
.facts dd{min-inline-size:0;font-weight:550;text-align:end;overflow-wrap:anywhere}
.facts small{display:block;color:var(--_muted);font-weight:450;font-size:14px}
.mono{font:450 14px/20px var(--latchkey-font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);overflow-wrap:anywhere}
.facts>div:has(>.mono){flex-direction:column;gap:0}
.facts .mono{font-size:12px;text-align:start}
.warnings{display:flex;flex-direction:column;gap:8px}
.warning{display:flex;align-items:start;gap:8px;padding:10px 12px;border-radius:14px;background:var(--_fill);font-size:14px;line-height:20px;text-wrap:pretty;overflow-wrap:anywhere}
.warning svg{color:var(--_muted)}
.warning[data-tone=warning]{--_tone:var(--_warning)}
.warning[data-tone=danger]{--_tone:var(--_danger)}
.warning:is([data-tone=warning],[data-tone=danger]){background:color-mix(in oklab,var(--_tone) 12%,var(--_card));box-shadow:inset 0 0 0 1px color-mix(in oklab,var(--_tone) 45%,var(--_card))}
.warning:is([data-tone=warning],[data-tone=danger]) svg{color:var(--_tone)}
.row>.amount{flex:none;max-inline-size:45%;text-align:end}
@media(forced-colors:active){.money-box,.token-button,.small-button,.warning{border:1px solid CanvasText}.money-box:focus-within{outline:2px solid Highlight}}`
