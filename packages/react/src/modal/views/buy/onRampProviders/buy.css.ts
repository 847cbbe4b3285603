export const buyCss: string = `
.buy-form{display:flex;flex-direction:column;gap:12px}
.buy-get{flex:1;min-inline-size:0;min-block-size:44px;display:flex;align-items:center;font-weight:650;font-size:20px;line-height:28px;letter-spacing:-.01em;overflow-wrap:anywhere}
.buy-get .skeleton{inline-size:128px;block-size:24px}
.buy-providers{display:flex;flex-direction:column;gap:8px;border:0;padding:0;margin:0}
.buy-providers legend{padding:0 0 8px 4px;color:var(--_muted);font-weight:550;font-size:14px;line-height:20px}
.buy-provider{cursor:pointer}
.buy-provider:has(:checked){box-shadow:inset 0 0 0 2px var(--_accent)}
.buy-provider:has(:focus-visible){outline:2px solid var(--_accent);outline-offset:2px}
.buy-provider input{appearance:none;inline-size:20px;block-size:20px;margin:0 4px;border-radius:50%;box-shadow:inset 0 0 0 1px var(--_control);outline:none}
.buy-provider input:checked{box-shadow:inset 0 0 0 6px var(--_accent)}
.buy-provider .sub{white-space:normal}
.buy-best{display:inline-block;margin-inline-start:8px;padding:0 8px;border-radius:8px;background:color-mix(in oklab,var(--_success) 14%,var(--_card));font-weight:550;font-size:12px;line-height:20px}
.buy-offer-skeleton{inline-size:72px;block-size:20px}
.buy-methods{display:grid;grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:8px;border:0;padding:0;margin:4px 0 0}
.buy-methods legend{padding:0 0 4px;color:var(--_muted);font-size:14px;line-height:20px}
.buy-method{display:flex;flex-direction:column;justify-content:center;min-block-size:44px;padding:6px 12px;border-radius:10px;background:var(--_card);
box-shadow:inset 0 0 0 1px var(--_line);cursor:pointer}
.buy-method .name{font-weight:550;font-size:14px;line-height:20px}
.buy-method .sub{color:var(--_muted);font-size:12px;line-height:16px}
.buy-method:has(:checked){box-shadow:inset 0 0 0 2px var(--_accent)}
.buy-method:has(:focus-visible){outline:2px solid var(--_accent);outline-offset:2px}
.buy-method input{position:absolute;opacity:0;pointer-events:none}
@media(forced-colors:active){.buy-provider input{appearance:auto}.buy-method,.buy-best{border:1px solid CanvasText}.buy-method:has(:checked){border:3px solid Highlight}}`
