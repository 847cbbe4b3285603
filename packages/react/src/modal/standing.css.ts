// The hint has room for two lines, so that the card keeps its height while its words change.
export const standingCss: string = `
.standing{display:flex;flex-direction:column;align-items:center;padding-block:16px 4px;text-align:center}
.standing-mark{position:relative;display:grid;place-items:center;inline-size:96px;block-size:96px;margin-block-end:20px}
.ring{position:absolute;inset:0;fill:none;stroke:var(--_accent);stroke-width:3;stroke-linecap:round;stroke-dasharray:28 72;animation:orbit 1.4s linear infinite}
@keyframes orbit{to{stroke-dashoffset:-100}}
.badge{position:absolute;inset-block-end:4px;inset-inline-end:4px;padding:2px;border-radius:50%;background:var(--_card);color:var(--_danger)}
.standing .headline{margin-block-end:4px}
.standing .hint{max-inline-size:272px;min-block-size:40px}
.standing~.hint{text-align:center}
@media(prefers-reduced-motion:reduce){.ring{stroke-dasharray:none;animation:breathe 1s ease-in-out infinite alternate!important}}`
