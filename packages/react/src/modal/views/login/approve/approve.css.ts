// The height that the wallet requests, if there is space. Otherwise its screen scrolls. Full width, because the wallet's
// screens are narrow, and users must not click them where they can't be read.
export const approveCss: string = `
.approve{block-size:min(var(--_screen),100dvh - 88px);border-radius:0 0 var(--_radius) var(--_radius)}
@media(max-width:429px){dialog .approve{border-radius:0}}
.pane:has(>.approve){max-block-size:none;padding:0;overflow:hidden}`
