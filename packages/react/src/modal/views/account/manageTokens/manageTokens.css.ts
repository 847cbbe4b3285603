export const manageTokensCss: string = `
.managed-tokens{overflow:hidden auto;max-block-size:min(400px,100dvh - 280px)}
.managed-token-actions{display:flex;flex:none;flex-direction:column;align-items:end;gap:12px;padding-block:6px}
.managed-tokens .holding{padding-inline-end:8px}
.report-line{padding:0 12px 12px}`
