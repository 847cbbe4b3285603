export const accountCss: string = `
.identity{display:flex;flex-direction:column;align-items:center;text-align:center}
.avatar{display:block;inline-size:72px;block-size:72px;margin-block-end:12px;border-radius:50%;overflow:hidden;forced-color-adjust:none}
.avatar[data-size=small]{flex:none;inline-size:40px;block-size:40px;margin:0}
.avatar[data-size=medium]{inline-size:56px;block-size:56px;margin-block-end:4px}
.avatar img{display:block;inline-size:100%;block-size:100%;object-fit:cover}
.person{max-inline-size:100%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.person+.address .address-text{color:var(--_muted);font-weight:550;font-size:14px;letter-spacing:0}
.address{display:flex;align-items:center}
.address[data-alone]{margin-inline-start:44px}
.address-text{min-block-size:44px;padding-inline:4px;border-radius:10px;font-weight:650;font-size:20px;line-height:28px;letter-spacing:-.01em}
.address .icon-button{inline-size:44px}
.full-address{max-inline-size:256px;padding-block-end:8px;color:var(--_muted);font:450 14px/20px var(--latchkey-font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);overflow-wrap:anywhere;user-select:all}
.native{display:grid;place-items:center;min-block-size:36px;color:var(--_text);font-weight:650;font-size:28px;line-height:36px;letter-spacing:-.02em}
.native .skeleton{inline-size:128px;block-size:28px}
.native small{color:var(--_muted);font-weight:550;font-size:16px;letter-spacing:0}
.holdings{display:flex;flex-direction:column;gap:8px}
.holdings h2{color:var(--_muted);font-weight:550;font-size:14px;line-height:20px}
.holding{padding-inline-end:16px}
.holding .amount{flex:none;max-inline-size:55%;text-align:end}
.account-ways{position:sticky;inset-block-end:calc(-1*var(--_padding));margin:-8px 0 calc(-1*var(--_padding));padding-block:8px var(--_padding);background:var(--_card)}
.empty{padding:16px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);text-align:center}
.empty .button{margin-block-start:12px;background:var(--_card)}`
