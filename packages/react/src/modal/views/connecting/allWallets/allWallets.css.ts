// The height of the list is fixed, so that the layout does not shift while the user types.
export const allWalletsCss: string = `
.all{display:flex;flex-direction:column;gap:12px;block-size:min(456px,100dvh - 180px);min-block-size:220px}
.all-scroll{flex:1;min-block-size:0;margin:0 -20px -20px;padding:4px 20px 20px;overflow:hidden auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--_line) #0000}
.grid{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:8px 4px}
@media(max-width:351px){.grid{grid-template-columns:repeat(3,minmax(0,1fr))}}
.cell{display:flex;flex-direction:column;align-items:center;gap:8px;inline-size:100%;block-size:124px;padding:8px 2px;border-radius:16px;font-size:12px;line-height:16px;font-weight:550;text-align:center;transition:background .15s,scale .15s}
button.cell:hover{background:var(--_fill)}
button.cell:active{scale:.96}
.cell .mark{inline-size:56px;block-size:56px;border-radius:14px;font-size:20px}
.cell .name{display:-webkit-box;inline-size:100%;max-block-size:48px;overflow:hidden;font-weight:550;white-space:normal;overflow-wrap:anywhere;text-wrap:balance;unicode-bidi:plaintext;-webkit-box-orient:vertical;-webkit-line-clamp:3}
.cell>.skeleton:first-child{inline-size:56px;block-size:56px;border-radius:14px}
.cell>.skeleton+.skeleton{inline-size:48px;block-size:12px;margin-block-start:2px}
.all .notice{padding-block-start:48px;gap:16px}`
