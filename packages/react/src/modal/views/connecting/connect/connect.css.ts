export const connectCss: string = `
.legal{display:flex;align-items:center;gap:4px;margin:-4px 0 -4px -10px;color:var(--_muted);font-size:14px;line-height:20px}
.legal input{flex:none;inline-size:20px;block-size:20px;margin:12px;accent-color:var(--_accent)}
.legal label{padding-block:12px;cursor:pointer;text-wrap:pretty}
.legal a,.legal-footer a{color:var(--_text);font-weight:550;text-underline-offset:3px}
.legal-footer{color:var(--_muted);font-size:12px;line-height:18px;text-align:center;text-wrap:balance}
.tag:empty{display:none}
.choices{display:flex;flex-direction:column;gap:16px;transition:opacity .15s}
.choices[inert]{opacity:.45}
.login-room{display:grid;gap:8px}
.login-room>*{block-size:48px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);animation:breathe 1.4s ease-in-out infinite alternate}
.or{display:flex;align-items:center;gap:12px;color:var(--_muted);font-size:14px;line-height:20px}
.or::before,.or::after{content:"";flex:1;block-size:1px;background:var(--_line)}
.guide{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;margin-block:-4px -12px;color:var(--_muted);font-size:14px;line-height:20px}`
