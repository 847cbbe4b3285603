export const receiveCss: string = `
.whole-address{margin-inline:auto;max-inline-size:280px;font:550 14px/20px var(--latchkey-font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);
text-align:center;overflow-wrap:anywhere;user-select:all}
.request-token{flex:none;max-inline-size:40%;min-block-size:44px;padding-inline:12px;border:0;border-radius:22px;background:var(--_card);
color:var(--_text);font:550 16px/24px var(--_font);box-shadow:inset 0 0 0 1px var(--_control)}`
