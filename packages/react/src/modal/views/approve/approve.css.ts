// As high as the wallet would like its screen, as far as there is room: below that, its screen scrolls by itself. From side to
// side, since the wallet's own screens are narrow enough, and are not to be pressed where they cannot be read.
export const approveCss: string = `
.approve{block-size:min(var(--_screen),100dvh - 88px);border-radius:0 0 var(--_radius) var(--_radius)}
@media(max-width:429px){dialog .approve{border-radius:0}}
.pane:has(>.approve){max-block-size:none;padding:0;overflow:hidden}`
