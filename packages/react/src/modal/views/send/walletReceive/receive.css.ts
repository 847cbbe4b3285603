export const receiveCss: string = `
.whole-address{margin-inline:auto;max-inline-size:280px;font:550 14px/20px var(--latchkey-font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);
text-align:center;overflow-wrap:anywhere;user-select:all}`
