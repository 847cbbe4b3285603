export const sendCss: string = `
.send-form{display:flex;flex-direction:column;gap:12px}
.send-receiver{display:flex;flex-direction:column;gap:8px}
.receiver-input{flex:1;min-inline-size:0;block-size:44px;padding:0;border:0;background:none;color:var(--_text);outline:none;appearance:none;font:450 16px/24px var(--_font)}
.receiver-input::placeholder{color:var(--_muted);opacity:1}
.receiver-choice{display:flex;align-items:center;gap:4px}
.receiver-choice>.row{flex:1;min-inline-size:0}
.receiver-choice>.icon-button{flex:none}
.fee-skeleton{inline-size:96px;block-size:16px;margin-block:2px}
.facts>div:has(>.fact-reason){flex-wrap:wrap;row-gap:0}
.facts>div>.fact-reason{flex-basis:100%;color:var(--_muted);font-weight:450;text-align:start}
.send-review{display:flex;flex-direction:column;gap:8px;padding:12px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill)}
.send-review .headline{overflow-wrap:anywhere}
.send-person{display:flex;align-items:center;gap:8px;min-inline-size:0}`
