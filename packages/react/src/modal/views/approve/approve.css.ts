// As high as the wallet would like its screen, as far as there is room: below that, its screen scrolls by itself.
export const approveCss: string = `
.approve{block-size:min(var(--_screen),100dvh - 148px);min-block-size:120px;border-radius:0}
.pane:has(>.approve){padding-block:0 var(--_padding);overflow:hidden}`
