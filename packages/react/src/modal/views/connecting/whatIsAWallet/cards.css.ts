export const cardsCss: string = `
.explained{display:flex;flex-direction:column;gap:20px;padding-block:4px 8px}
.explained li{display:flex;align-items:center;gap:16px}
.explained h2{margin-block-end:2px;font:650 16px/24px var(--_font);letter-spacing:-.01em;text-wrap:balance}
.explained p{color:var(--_muted);font-size:14px;line-height:20px;text-wrap:pretty}
.explained svg{stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.explained .ground{fill:var(--_fill)}
.explained .solid{fill:var(--_card);stroke:var(--_muted)}
.explained .line{stroke:var(--_muted)}
.explained .mark-line{stroke:var(--_text);stroke-width:2}
.explained .dot{fill:var(--_text)}`
