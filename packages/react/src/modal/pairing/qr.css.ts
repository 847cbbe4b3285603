export const qrCss: string = `
.qr{display:grid;place-items:center;aspect-ratio:1;inline-size:100%;max-inline-size:320px;margin-inline:auto;padding:18px;border-radius:var(--_radius);
background:#fff;box-shadow:inset 0 0 0 1px light-dark(var(--_line),#0000)}
.qr>*{grid-area:1/1}
.qr>svg,.qr>.skeleton{inline-size:100%;block-size:100%;transition:opacity .15s}
.qr>.skeleton{background:#e8e9ed;border-radius:12px}
@starting-style{.qr>svg{opacity:0}}
.qr[data-dimmed]>svg{opacity:.12}
.qr-middle{display:grid;color-scheme:light}
.qr-middle .mark{inline-size:48px;block-size:48px;border-radius:12px;background:#fff;color:#1a1c22;box-shadow:none;font-size:20px}
.tabs~.qr{max-inline-size:256px;padding:14px}
.pairing-words{display:flex;flex-direction:column;justify-content:center;min-block-size:24px;text-align:center}
.get-it{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;margin:-4px 0 -12px;color:var(--_muted);font-size:14px;line-height:20px}`
