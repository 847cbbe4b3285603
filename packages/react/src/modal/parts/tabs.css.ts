export const tabsCss: string = `
.tabs{display:flex;flex-wrap:wrap;gap:2px;padding:4px;border-radius:max(12px,var(--_radius)*.66);background:var(--_fill)}
.tabs button{flex:1 1 auto;max-inline-size:100%;min-block-size:44px;padding:4px 3px;border-radius:max(8px,var(--_radius)*.5);color:var(--_muted);
font-size:14px;font-weight:550;line-height:18px;letter-spacing:-.01em;text-align:center;transition:background .15s,color .15s}
.tabs button[aria-selected=true]{background:var(--_card);color:var(--_text);box-shadow:0 1px 2px oklch(0 0 0/.12)}
@media(forced-colors:active){.tabs button[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}`
