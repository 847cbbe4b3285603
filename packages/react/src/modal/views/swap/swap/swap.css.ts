/** Styles of the swap views, in addition to those of all money views. */
export const swapCss: string = `
.swap-form{display:flex;flex-direction:column;gap:12px}
.swap-form>:empty,.pane[data-view=SwapPreview]>:empty{position:absolute}
.pane:is([data-view=Swap],[data-view=SwapPreview]) .facts small:not(.swap-countdown){display:inline-block;margin-inline-start:6px}
.swap-sides{display:flex;flex-direction:column;gap:4px;position:relative}
.swap-read-only{color:var(--_muted);font-size:12px;line-height:16px;text-wrap:pretty}
.swap-turn{display:grid;place-items:center;align-self:center;inline-size:44px;block-size:44px;margin-block:-22px;z-index:1;border-radius:50%;
background:var(--_card);box-shadow:inset 0 0 0 1px var(--_line)}
.swap-turn:hover{background:color-mix(in oklab,var(--_card) 94%,var(--_text))}
.swap-turn svg{rotate:90deg}
.swap-skeleton{inline-size:120px;block-size:28px;margin-block:8px;flex:none}
.swap-fact-skeleton{inline-size:96px;block-size:16px;margin-block:2px}
.facts dt>.swap-countdown{display:block;font-size:12px}
.swap-countdown[data-paused]{visibility:hidden}
.facts>div:has(>dd>.swap-rate){gap:2px}
.facts>div:has(>dd>.swap-rate)>dt{flex:0 1 auto}
.facts>div:has(>dd>.swap-rate)>dd{flex:none;max-inline-size:68%}
.swap-rate{margin:-6px -8px;color:var(--_text)}
.swap-slippage{display:flex;flex-wrap:wrap;align-items:center;gap:4px}
.swap-slippage>.small-button{justify-content:center;background:var(--_fill);color:var(--_text)}
.swap-slippage>[aria-pressed=true]{box-shadow:inset 0 0 0 2px var(--_accent)}
.swap-slippage-field{display:inline-flex;align-items:center;gap:4px;margin-inline-start:auto}
.swap-slippage input{inline-size:56px;block-size:32px;padding-inline:8px;border:0;border-radius:10px;background:var(--_fill);color:var(--_text);
box-shadow:inset 0 0 0 1px var(--_control);font:550 14px/20px var(--_font);font-variant-numeric:tabular-nums;text-align:end}
.facts>.swap-slippage-line{flex-direction:column;gap:4px}
.swap-slippage-line>dd{text-align:start}
.swap-review{display:flex;align-items:center;gap:12px;padding:12px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill)}
.swap-review .text{min-inline-size:0}
.swap-review .headline{overflow-wrap:anywhere;text-align:start}
.swap-chips{display:flex;flex-wrap:wrap;gap:8px}
.swap-chips button{display:flex;align-items:center;gap:8px;min-block-size:44px;padding-inline:8px 12px;border-radius:22px;background:var(--_fill);font-weight:550}
.swap-chips .mark{inline-size:28px;block-size:28px;border-radius:50%;font-size:14px}
.swap-confirm-label{font-size:14px;line-height:20px;text-wrap:pretty}
.swap-confirm{block-size:44px;padding-inline:12px;border:0;border-radius:10px;background:var(--_card);color:var(--_text);box-shadow:inset 0 0 0 1px var(--_control);font:450 16px/24px var(--_font)}
.swap-steps{display:flex;flex-direction:column;gap:8px;padding-inline:4px;margin:0;list-style:none;font-size:14px;line-height:20px;color:var(--_muted)}
.swap-steps>li{display:flex;align-items:center;gap:8px;overflow-wrap:anywhere}
.swap-steps>[aria-current]{color:var(--_text);font-weight:550}
.swap-step-mark{display:grid;place-items:center;flex:none;inline-size:24px;block-size:24px;border-radius:50%;background:var(--_fill);font-size:12px;font-variant-numeric:tabular-nums}
[aria-current]>.swap-step-mark{background:var(--_accent);color:var(--_on-accent)}
.swap-failure{display:flex;flex-direction:column;gap:4px}
@media(forced-colors:active){.swap-turn,.swap-chips button,.swap-slippage input{border:1px solid CanvasText}.swap-slippage>[aria-pressed=true]{border-color:Highlight}}`
