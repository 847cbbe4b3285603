export const loginCss: string = `
.login{display:flex;flex-direction:column;gap:8px}
.login[inert]{opacity:.55}
.email .field{padding-inline-end:4px}
.email .icon-button{inline-size:40px;block-size:40px;min-inline-size:44px;min-block-size:44px}
.email .icon-button[hidden]{display:block;visibility:hidden}
.email .icon-button:not([aria-disabled=true]){color:var(--_text)}
.email .spinner{flex:none;margin-inline:12px}
.status-text{display:flex;flex-wrap:wrap;align-items:center;column-gap:4px;padding:8px 4px 0;color:var(--_muted);font-size:14px;line-height:20px;text-wrap:pretty}
.status-text:empty{display:none}
.status-text[data-tone=bad]{color:var(--_danger)}
.status-text .link{min-block-size:24px;padding-inline:4px;margin:-2px -4px;font-size:inherit;overflow-wrap:anywhere;text-decoration:underline;text-underline-offset:3px}
.social{justify-content:start;padding-inline:14px;font-weight:550}
.social>span{flex:1;padding-inline-end:20px;text-align:center}
.tiles{display:grid;grid-auto-flow:column;grid-auto-columns:1fr;gap:8px}
.tile{display:grid;place-items:center;min-block-size:48px;min-inline-size:44px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);transition:background .15s,scale .15s}
.tile:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
.tile:active{scale:.985}
.mailed{display:flex;flex-direction:column;align-items:center;gap:4px;padding-block:8px 4px;text-align:center}
.mailed-mark{display:grid;place-items:center;inline-size:64px;block-size:64px;margin-block-end:12px;border-radius:20px;background:var(--_fill);color:var(--_text)}
.mailed .hint{max-inline-size:288px}
.mailed bdi{display:inline-block;max-inline-size:100%;font-weight:550;color:var(--_text);overflow-wrap:anywhere}
.match{display:flex;direction:ltr;justify-content:center;gap:8px;margin-block-start:8px;font-variant-numeric:tabular-nums}
.match span,.code-box{display:grid;place-items:center;block-size:64px;inline-size:56px;border-radius:max(10px,var(--_radius)*.58);background:var(--_fill);font-weight:650;font-size:28px}
.code{position:relative;display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:8px;direction:ltr}
.code-box{inline-size:auto;block-size:56px;box-shadow:inset 0 0 0 1px var(--_control);font-size:20px;font-variant-numeric:tabular-nums}
.code:focus-within .code-box[data-active]{box-shadow:inset 0 0 0 2px var(--_accent)}
.code[data-bad] .code-box{box-shadow:inset 0 0 0 1px var(--_danger)}
.code[data-bad]:focus-within .code-box[data-active]{box-shadow:inset 0 0 0 2px var(--_danger)}
.code:focus-within .code-box[data-active]:empty::after{content:"";inline-size:2px;block-size:24px;background:var(--_accent);animation:blink 1s steps(2,jump-none) infinite}
@keyframes blink{to{opacity:0}}
.code input{position:absolute;inset:0;inline-size:100%;block-size:100%;padding:0;border:0;background:none;color:#0000;caret-color:#0000;font-size:16px;outline:none;opacity:.01;cursor:text}
.code-status{display:flex;align-items:center;justify-content:center;min-block-size:40px;color:var(--_muted);font-size:14px;line-height:20px;text-align:center;text-wrap:balance}
.code-status[data-tone=bad]{color:var(--_danger)}
.again{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;margin-block:-8px -4px;color:var(--_muted);font-size:14px;line-height:20px}
.again .link{font-variant-numeric:tabular-nums}
.again .link[aria-disabled=true]{color:var(--_muted);cursor:default;text-decoration:none}
a.row{text-decoration:none}
.custody{padding:4px}
.custody a{color:var(--_text);font-weight:550;text-underline-offset:3px}
.confirmation{display:flex;flex-direction:column;gap:12px;padding:4px}
.warned{display:flex;align-items:start;gap:8px;color:var(--_warning);font-weight:550}
@media(prefers-reduced-motion:reduce){.code-box::after{animation:none!important}}
@media(forced-colors:active){.code-box,.match span,.tile{border:1px solid CanvasText}.code:focus-within .code-box[data-active]{border:2px solid Highlight}}`
