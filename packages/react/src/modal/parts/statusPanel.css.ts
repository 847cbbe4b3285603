// The hint reserves two lines, so that the modal keeps its height while the text changes.
export const statusPanelCss: string = `
.status-panel{display:flex;flex-direction:column;align-items:center;padding-block:16px 4px;text-align:center}
.status-panel-mark{position:relative;display:grid;place-items:center;inline-size:96px;block-size:96px;margin-block-end:20px}
.ring{position:absolute;inset:0;fill:none;stroke:var(--_accent);stroke-width:3;stroke-linecap:round;stroke-dasharray:28 72;animation:orbit 1.4s linear infinite}
@keyframes orbit{to{stroke-dashoffset:-100}}
.badge{position:absolute;inset-block-end:4px;inset-inline-end:4px;padding:2px;border-radius:50%;background:var(--_card);color:var(--_danger)}
.status-panel .headline{margin-block-end:4px}
.status-panel .hint{max-inline-size:272px;min-block-size:40px}
.status-panel~.hint{text-align:center}
@media(prefers-reduced-motion:reduce){.ring{stroke-dasharray:none;animation:breathe 1s ease-in-out infinite alternate!important}}`
