export const scanCodeCss: string = `
.scan-camera{display:block;inline-size:100%;aspect-ratio:1;object-fit:cover;border-radius:max(10px,var(--_radius)*.66);background:var(--_fill)}
.scan-camera[hidden]{display:none}
.scan-file{position:relative;cursor:pointer}
.scan-file:focus-within{outline:2px solid var(--_accent);outline-offset:2px}`
