export const accountCss: string = `
.identity{display:flex;flex-direction:column;align-items:center;text-align:center}
.avatar{display:block;inline-size:56px;block-size:56px;margin-block-end:4px;border-radius:50%;overflow:hidden;forced-color-adjust:none}
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
.roll{display:inline-block}
.worth{min-block-size:20px;color:var(--_muted);font-weight:550;font-size:14px;line-height:20px}
.actions{display:flex;flex-wrap:wrap;gap:6px}
.action{flex:1 1 64px;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:4px;min-block-size:64px;min-inline-size:min-content;padding:8px 2px;
border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);font-weight:550;font-size:12px;line-height:16px;text-align:center;transition:background .15s,scale .15s}
.action:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
.action:active{scale:.985}
.action svg{fill:none;stroke:var(--_accent);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.holdings,.holdings>div:not(.tabs){display:flex;flex-direction:column;gap:8px}
.holdings .group+.group{margin-block-start:8px}
.nfts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:12px 8px}
.nft{position:relative;display:flex;flex-direction:column;gap:4px;min-inline-size:0}
.nft .name{font-size:14px;line-height:20px}
.nft-picture{position:relative;display:grid;place-items:center;aspect-ratio:1;overflow:hidden;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);color:var(--_muted);font-weight:650;font-size:28px}
.nft-picture img{display:block;inline-size:100%;block-size:100%;object-fit:cover}
.nft-picture .tag{position:absolute;inset-block-end:8px;inset-inline-end:8px}
.report{display:flex;flex-direction:column;gap:8px}
.nft .report .buttons{flex-direction:column}
.nft>.button,.nft .report .button{padding-inline:4px;font-size:14px;white-space:normal}
.nft-hide{position:absolute;inset-block-start:0;inset-inline-end:0}
.nft-hide svg{padding:6px;box-sizing:content-box;border-radius:50%;background:var(--_card);box-shadow:inset 0 0 0 1px var(--_line)}
.nft>.skeleton+.skeleton{inline-size:72px;block-size:14px}
a.row{text-decoration:none}
.holding .sub{display:flex;flex-wrap:wrap;column-gap:8px;-webkit-line-clamp:none}
.holding .amount .sub{justify-content:flex-end}
.holding .amount .sub:has(span){flex-direction:column;align-items:flex-end}
.holding .other{white-space:nowrap}
.holding small{font-size:14px;font-weight:450;color:var(--_muted)}
.failed{display:inline-flex;align-items:center;gap:4px;color:var(--_danger)}
.holdings h2{color:var(--_muted);font-weight:550;font-size:14px;line-height:20px}
.holding{padding-inline-end:16px}
.holding .amount{flex:none;max-inline-size:55%;text-align:end}
.account{display:flex;flex-direction:column;gap:16px;min-block-size:0;margin:-8px calc(-1*var(--_padding)) -8px;padding:8px var(--_padding);
overflow:hidden auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--_line) #0000}
.account>*{flex:none}
.pane:has(>.account){max-block-size:min(680px,100dvh - 120px)}
@media(max-width:429px){dialog .pane:has(>.account){max-block-size:calc(var(--_height,100dvh) - var(--_above,92px) - env(safe-area-inset-bottom))}}
.account-actions{flex:none}
@media(max-width:351px){.account-actions .button{padding-inline:4px;font-size:14px}}
.empty{padding:16px;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);text-align:center}
.empty .button{margin-block-start:12px;background:var(--_card)}
.empty .buttons>*{min-inline-size:0}`
